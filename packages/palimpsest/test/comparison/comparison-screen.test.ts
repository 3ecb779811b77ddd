import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextCommand } from '../../src/commands/compare.ts';
import { barLegend, outcomeBar, share } from '../../src/comparison/terminal/outcome-bar.ts';
import { programCommand } from '../program/running-program.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
const recorded = fileURLToPath(new URL('../../../../apps/compare/samples', import.meta.url));
const samples = readdirSync(recorded).filter((name) => name.endsWith('.json'));
const forgetting = fileURLToPath(new URL('./engines/halving.ts', import.meta.url));
const documentation = fileURLToPath(new URL('../../docs/transcripts.md', import.meta.url));
for (const name of samples) folder.write(name, readFileSync(`${recorded}/${name}`, 'utf8'));

interface Given {
  readonly columns?: number;
  readonly colour?: boolean;
}

const screens = new Map<string, Promise<string>>();

/** What a command prints. Several tests look at the same screen, which is made once. */
function screen(arguments_: readonly string[], given: Given = {}): Promise<string> {
  const key = JSON.stringify([arguments_, given]);
  const made = screens.get(key) ?? printed(arguments_, given);
  screens.set(key, made);
  return made;
}

async function printed(arguments_: readonly string[], given: Given): Promise<string> {
  const { code, stdout, stderr } = await runHere(['compare', ...arguments_], { cwd, ...given });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('the screen of compare', () => {
  // Times would differ in each run.
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([80, 120])('is as documented at %i columns', async (columns) => {
    const text = await screen(['esm-migration.json'], { columns });
    await expect(text).toMatchFileSnapshot(`./screens/${columns}-columns.txt`);
    if (columns === 80) expect(readFileSync(documentation, 'utf8')).toContain(`\n${text.trimEnd()}\n`);
  });

  it.each(samples)('fits a terminal for %s, with a verdict and a next step', async (sample) => {
    for (const columns of [80, 120]) {
      const text = (await screen([sample], { columns })).trimEnd();
      expect(widest(text)).toBeLessThanOrEqual(columns);
      // The shell's prompt takes the last of 24 lines.
      expect(text.split('\n').length).toBeLessThan(24);
      expect(text).toMatch(/^Without compaction, \d+ of \d+ requests would not fit the window; /m);
      expect(text.split('\n').at(-1)).toBe(`next: palimpsest compare ${sample} --html report.html`);
    }
  });

  it('says when no engine would run yet', async () => {
    const text = await screen(['bisect-a-wrong-cent.json', '--window', '32k'], { columns: 80 });
    await expect(text).toMatchFileSnapshot('./screens/not-yet.txt');
  });

  it('ends with all sessions together', async () => {
    const text = await screen(samples, { columns: 80 });
    const total = text.slice(text.indexOf('All 5 sessions together'));
    await expect(total).toMatchFileSnapshot('./screens/together.txt');
    expect(await screen(['esm-migration.json'], { columns: 80 })).not.toContain('together');
  });

  it('is the same without colour, on a terminal and in a pipe', async () => {
    const plain = await screen(['esm-migration.json'], { columns: 80 });
    expect(await screen(['esm-migration.json'])).toBe(plain);
    expect(plain).not.toMatch(/[\u001b\r]/);
    const coloured = await screen(['esm-migration.json'], { columns: 80, colour: true });
    await expect(coloured).toMatchFileSnapshot('./screens/colours.txt');
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
    // Colours and nothing else, such as movements of the cursor.
    expect(coloured.match(/\u001b(?!\[\d+m)|\r/)).toBeNull();
  });

  it('prints the verdict of the screen as JSON', async () => {
    const text = (await screen(['esm-migration.json'], { columns: 80 })).replace(/\s+/g, ' ');
    const { samples: compared } = JSON.parse(await screen(['esm-migration.json', '--json']));
    expect(compared).toHaveLength(1);
    expect(compared[0].verdict).toEqual({ text: expect.any(String), best: 'compressor' });
    expect(text).toContain(compared[0].verdict.text);
  });

  it('masks a key in a name that is lost', async () => {
    // Assembled at run time so that secret scanners do not flag this file.
    const key = `gh${'p'}_${'Zk3v9QpT7wXn2LbR5yHd8MfC6sGj4aUe1oWq'}`;
    const messages = session(30);
    messages[2] = { ...messages[2]!, content: `See https://example.org/hooks/${key}/new.json now.` };
    folder.write('key.json', messages);
    const { stdout } = await runHere(['compare', 'key.json', '--engine', forgetting, '--window', '16k'], { cwd });
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/loses \d+ of the \d+ exact names \(https:\/\/example\.org\/hooks\//);
    expect(stdout).not.toContain(key.slice(0, 12));
  });

  it.each([
    ['Japanese', '長い会話の記録をここに全部書いておく必要があるので名前も長くなる', 'パスを直してください。'],
    ['German', 'Übergrößenbestätigungsänderungsprotokollführerprüfungsausschusssitzung', 'Bitte größer.'],
    ['emoji', '🧰👩‍🔧 tools 🧰', 'Please mend it.'],
  ])('fits with names in %s', async (language, id, request) => {
    folder.write(`${language}.json`, { id, messages: session(16, request) });
    for (const columns of [60, 80, 120]) {
      const text = await screen([`${language}.json`, '--window', '12k'], { columns });
      expect(text).toContain(id.slice(0, 8));
      expect(widest(text), text).toBeLessThanOrEqual(columns);
    }
  });
});

/** Runs a command in a terminal of its own. */
const terminalProgram = '/usr/bin/script';

describe.skipIf(!existsSync(terminalProgram))('the screen of compare in a terminal of the system', () => {
  it.each([80, 120])(
    'has colours and fits %i columns; with NO_COLOR it is plain',
    async (columns) => {
      const inTerminal = (env: NodeJS.ProcessEnv): string => {
        const program = [...programCommand, 'compare', 'bisect-a-wrong-cent.json'].map((part) => `'${part}'`).join(' ');
        const shell = `stty rows 24 cols ${columns}; ${program}`;
        const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
        const environment = { ...rest, TERM: 'xterm-256color', ...env };
        const { stdout } = spawnSync(terminalProgram, ['-qec', shell, '/dev/null'], {
          cwd,
          env: environment,
          encoding: 'utf8',
        });
        return stdout.replaceAll('\r\n', '\n');
      };
      const coloured = inTerminal({});
      const plain = inTerminal({ NO_COLOR: '1' });
      expect(coloured).toContain('\u001b[34m');
      expect(plain).not.toContain('\u001b[34m');
      for (const output of [coloured, plain]) {
        const result = output.replace(/\u001b\[\d*[mK]|\r/g, '');
        // Lines of progress, written over one another, come first.
        const lines = result.slice(result.lastIndexOf('bisect-a-wrong-cent', result.indexOf('10,876 tokens')));
        expect(lines).toContain('would not fit the window');
        expect(widest(lines)).toBeLessThanOrEqual(columns);
      }
    },
    180_000,
  );
});

describe('a bar', () => {
  const tokens = { kept: 500, shortened: 100, summary: 1, dropped: 0, freed: 399 };

  it('has a texture for each outcome', () => {
    expect(outcomeBar(tokens, 20, picocolors.createColors(false))).toBe(`${'█'.repeat(10)}▓▓▒${'·'.repeat(7)}`);
    expect(barLegend([tokens], picocolors.createColors(false))).toBe('█ kept  ▓ shortened  ▒ summary  · freed');
  });

  it('is as wide as it should be, and shows every outcome', () => {
    const values = fc.array(fc.nat(1_000_000), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(values, fc.integer({ min: 5, max: 200 }), (amounts, width) => {
        fc.pre(amounts.some((amount) => amount > 0));
        const cells = share(amounts, width);
        expect(cells.reduce((sum, cell) => sum + cell, 0)).toBe(width);
        amounts.forEach((amount, at) => {
          if (amount === 0) expect(cells[at]).toBe(0);
          else expect(cells[at]).toBeGreaterThan(0);
        });
      }),
    );
  });
});

describe('the next command', () => {
  it('is one that a shell can run', () => {
    const chat = { file: "it's here/a b.json", format: 'chat-completions' };
    const done = { isNamed: true, hasPage: true, engine: null };
    const named = `palimpsest compare 'it'\\''s here/a b.json' --html report.html`;
    expect(nextCommand(chat, { ...done, hasPage: false })).toBe(named);
    expect(nextCommand(chat, done)).toBe(`palimpsest inspect 'it'\\''s here/a b.json'`);
    expect(nextCommand({ ...chat, format: 'codex' }, done)).toBe('palimpsest run -- codex');
    expect(nextCommand(chat, { ...done, isNamed: false, engine: 'prune-compact' })).toBe(
      'palimpsest run --engine prune-compact -- claude',
    );
  });
});
