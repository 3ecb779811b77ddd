import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../comparison/run-here.ts';
import { session } from '../comparison/session.ts';
import { runningProgram } from './running-program.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-trust-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let count = 0;
/** A folder of somebody else, the user's home, and the file that code of the folder writes. */
let [cwd, home, mark] = ['', '', ''];
beforeEach(() => {
  const base = join(top, `${count++}`);
  [cwd, home, mark] = [join(base, 'folder'), join(base, 'home'), join(base, 'mark')];
  write('session.json', JSON.stringify(session(60)));
});

function write(name: string, text: string): void {
  const path = join(cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The source of a module that shows that it ran. */
const marking = (exported: string): string =>
  `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, ''); export default ${exported};`;

const engine = `{ name: 'own', apiVersion: 1, create: () => ({
  initial: null,
  budget: ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0 }),
  plan: async () => ({ edits: [], state: null }),
}) }`;

const commands: readonly (readonly string[])[] = [
  ['engines'],
  ['compare', 'session.json'],
  ['compact', 'session.json'],
  ['inspect', 'session.json', '--html', 'page.html'],
  ['run', '--', process.execPath, '--version'],
];

/** Ways in which a folder brings code with it. */
const folders: Readonly<Record<string, { readonly file: string; readonly fill: () => void }>> = {
  'a module': {
    file: 'palimpsest.config.mjs',
    fill: () => write('palimpsest.config.mjs', marking("{ context: { engine: 'compressor' } }")),
  },
  'data with a path': {
    file: 'palimpsest.config.yaml',
    fill: () => {
      write('palimpsest.config.yaml', 'context:\n  engine: ./own.mjs\n');
      write('own.mjs', marking(engine));
    },
  },
  'data with a package of a folder above': {
    file: 'palimpsest.config.json',
    fill: () => {
      write('palimpsest.config.json', '{"context":{"engine":"own-package"}}');
      write('../node_modules/own-package/index.mjs', marking(engine));
      write('../node_modules/own-package/package.json', '{"name":"own-package","main":"index.mjs"}');
    },
  },
};

describe.each(Object.entries(folders))('a configuration that runs code: %s', (_, { file, fill }) => {
  beforeEach(() => fill());

  it.each(commands)('is ignored by %s, with one line that says so', async (...command) => {
    const { stderr, code } = await runHere(command, { cwd, home });
    expect(existsSync(mark)).toBe(false);
    expect(stderr.match(/^palimpsest: ignored .*$/gm)).toEqual([
      `palimpsest: ignored ${file}: it runs code, and this folder is not trusted; run this command on a terminal to be asked, or name what may run with --config or --engine`,
    ]);
    expect(code).toBe(0);
  });

  it('is read when it is named', async () => {
    const { stderr, code } = await runHere(['compact', 'session.json', '--config', file], { cwd, home });
    expect([code, existsSync(mark)]).toEqual([0, true]);
    expect(stderr).not.toContain('ignored');
  });

  it('is read when the user trusts the folder, who is asked once', async () => {
    const questions: string[] = [];
    const confirm = async (question: string): Promise<boolean> => questions.push(question) > 1;
    const command = ['compact', 'session.json'];
    expect((await runHere(command, { cwd, home, confirm })).stderr).toContain(`ignored ${file}`);
    expect(existsSync(mark)).toBe(false);
    for (const asking of [confirm, null]) {
      rmSync(mark, { force: true });
      expect((await runHere(command, { cwd, home, confirm: asking })).stderr).not.toContain('ignored');
    }
    expect(questions).toEqual(
      Array(2).fill(`palimpsest: ${file} in ${cwd} runs code with your rights. Trust this folder?`),
    );
    expect(JSON.parse(readFileSync(join(home, '.palimpsest', 'trusted-folders.json'), 'utf8'))).toEqual([cwd]);
    // Another folder is asked about on its own.
    const other = join(cwd, 'inner');
    mkdirSync(other);
    writeFileSync(join(other, 'session.json'), JSON.stringify(session(60)));
    writeFileSync(join(other, 'palimpsest.config.mjs'), marking('{}'));
    expect((await runHere(command, { cwd: other, home })).stderr).toContain('ignored palimpsest.config.mjs');
  });
});

describe('engines in the folder plugins/context-engine', () => {
  it('run only if the folder is trusted, or one is named', async () => {
    write('plugins/context-engine/mine/index.mjs', marking(engine));
    for (const command of [['engines'], ['compact', 'session.json', '--engine', 'own']]) {
      expect((await runHere(command, { cwd, home })).stderr).toMatch(/^palimpsest: ignored plugins.context-engine: /);
      expect(existsSync(mark)).toBe(false);
    }
    expect((await runHere(['compact', 'session.json', '--engine', 'mine'], { cwd, home })).code).toBe(0);
    expect(existsSync(mark)).toBe(true);
  });
});

describe('a configuration that is data', () => {
  it('is read without a question', async () => {
    write('palimpsest.config.yaml', 'context:\n  engine: prune-compact\n  fallback: false\n');
    const { stderr } = await runHere(['compact', 'session.json'], { cwd, home });
    expect(stderr).toMatch(/^[^\n]*\(prune-compact, window [^\n]*\n$/);
  });

  it.each(['../outside.mjs', './link.mjs'])('must not name the engine %s outside the folder', async (path) => {
    writeFileSync(join(cwd, '..', 'outside.mjs'), marking(engine));
    symlinkSync('../outside.mjs', join(cwd, 'link.mjs'));
    write('palimpsest.config.yaml', `context:\n  engine: ${path}\n`);
    for (const given of [{ confirm: async () => true }, {}]) {
      const named = 'confirm' in given ? [] : ['--config', 'palimpsest.config.yaml'];
      for (const command of commands) {
        const [name, ...rest] = command;
        const { code, stderr } = await runHere([name!, ...named, ...rest], { cwd, home, ...given });
        expect([code, existsSync(mark)]).toEqual([1, false]);
        expect(stderr).toContain(`the engine ${path} is outside this folder; move it into the folder`);
      }
    }
    // A path that the user types may lead anywhere.
    rmSync(join(cwd, 'palimpsest.config.yaml'));
    expect((await runHere(['compact', 'session.json', '--engine', '../outside.mjs'], { cwd, home })).code).toBe(0);
  });
});

it('does not wait for an answer where nobody can give one', async () => {
  write('palimpsest.config.mjs', marking('{}'));
  const running = runningProgram(['engines'], { cwd, env: { HOME: home } });
  expect(await running.ended).toBe(0);
  expect(running.stderr).toMatch(/^palimpsest: ignored palimpsest\.config\.mjs: /);
  expect(existsSync(mark)).toBe(false);
});
