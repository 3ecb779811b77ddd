import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const example = fileURLToPath(new URL('../../../../examples/third-party-engine/src/index.js', import.meta.url));
const project = scratchFolder().path;
/** A user who trusts each folder. */
const trusting = { home: join(project, 'home'), confirm: async () => true };

describe('engines', () => {
  it('lists the built-in engines with the prompt sizes that trigger them', async () => {
    const { code, stdout } = await runHere(['engines'], { cwd: '/' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^compressor +[\d,]+ +[\d,]+ +[\d,]+ +[\d,]+ +none$/m);
    expect(stdout).toMatch(/^prune-compact /m);
  });

  it('prints them as JSON', async () => {
    const { version, engines } = JSON.parse((await runHere(['engines', '--json'], { cwd: '/' })).stdout);
    expect(version).toBe(1);
    for (const { thresholds } of engines)
      for (const [window, threshold] of Object.entries(thresholds)) {
        expect(threshold).toBeGreaterThan(0);
        expect(threshold).toBeLessThan(Number(window));
      }
  });
});

describe('engines of a project', () => {
  const folder = join(project, 'plugins', 'context-engine');

  it('are listed: those in its folder, and the one its configuration chooses', async () => {
    mkdirSync(join(folder, 'forgetful'), { recursive: true });
    writeFileSync(join(folder, 'forgetful', 'index.js'), `export { default } from ${JSON.stringify(example)};`);
    writeFileSync(join(project, 'palimpsest.config.yaml'), 'context:\n  engine: forgetful\n');
    const { code, stdout, stderr } = await runHere(['engines'], { ...trusting, cwd: project });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^[a-z-]+(?= .*none$)/gm)).toEqual(['compressor', 'prune-compact', 'forgetful']);
  });

  it('are found by the names that are listed, and compared with the others', async () => {
    const cwd = join(project, 'own-engine');
    const named = join(cwd, 'node_modules', 'palimpsest-engine-tidy');
    mkdirSync(named, { recursive: true });
    // It imports nothing: packages are loaded by Node, which does not find the sources of this repository.
    writeFileSync(
      join(named, 'index.js'),
      `export default {
        name: 'tidy',
        apiVersion: 1,
        create: () => ({
          initial: null,
          budget: ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0 }),
          plan: async () => ({ edits: [], state: null }),
        }),
      };`,
    );
    writeFileSync(join(named, 'package.json'), '{"name":"palimpsest-engine-tidy","type":"module","main":"index.js"}');
    writeFileSync(join(cwd, 'palimpsest.config.yaml'), 'context:\n  engine: palimpsest-engine-tidy\n');
    writeFileSync(join(cwd, 'session.json'), JSON.stringify(session(60)));
    const here = (...arguments_: string[]) => runHere(arguments_, { ...trusting, cwd });
    const listed = await here('engines');
    expect(listed.stderr).toBe('');
    expect(listed.stdout).toMatch(/^tidy /m);
    const compared = JSON.parse((await here('compare', 'session.json', '--json')).stdout);
    const names = (report: { samples: { engines: { engine: string }[] }[] }) =>
      report.samples[0]!.engines.map(({ engine }) => engine);
    expect(names(compared)).toEqual(['compressor', 'prune-compact', 'tidy']);
    const one = await here('compare', 'session.json', '--engine', 'tidy', '--json');
    expect(names(JSON.parse(one.stdout))).toEqual(['tidy']);
    for (const command of [['compact'], ['inspect', '--html', 'page.html']])
      expect(await here(...command, 'session.json', '--engine', 'tidy')).toMatchObject({ code: 0 });
    const run = await here('run', '--engine', 'tidy', '--', process.execPath, '--version');
    expect(run.stderr).toContain('(engine tidy; ');
    const byVariable = { ...trusting, cwd, env: { PALIMPSEST_ENGINE: 'tidy' } };
    for (const file of ['palimpsest.config.yaml', 'other.yaml']) {
      const command = ['run', '--config', file, '--', process.execPath, '--version'];
      writeFileSync(join(cwd, 'other.yaml'), 'context:\n  engine: ./node_modules/palimpsest-engine-tidy/index.js\n');
      expect((await runHere(command, byVariable)).stderr).toContain('(engine tidy; ');
    }
    expect((await runHere(['compact', 'session.json'], byVariable)).stderr).toContain('(tidy, window');
    expect((await runHere(['engines'], byVariable)).stdout.match(/^tidy /gm)).toHaveLength(1);
    const unknown = { ...trusting, cwd, env: { PALIMPSEST_ENGINE: 'tidi' } };
    expect((await runHere(['compact', 'session.json'], unknown)).stderr).toMatch(/the configured engine: .*"tidi"/);
    expect((await here('compare', 'session.json', '--engine', 'tidi')).code).toBe(2);
  });

  it('do not hide the others when one is broken', async () => {
    mkdirSync(join(folder, 'broken'), { recursive: true });
    writeFileSync(join(folder, 'broken', 'index.js'), 'export default 7;');
    const { code, stdout, stderr } = await runHere(['engines'], { ...trusting, cwd: project });
    expect(code).toBe(0);
    expect(stdout).toContain('forgetful');
    expect(stderr).toMatch(/^palimpsest: engine of this folder: .*broken.*\n$/);
  });

  it('have options whose mistakes are reported with the file', async () => {
    const cwd = join(project, 'mistaken');
    mkdirSync(cwd, { recursive: true });
    const file = join(cwd, 'palimpsest.config.yaml');
    writeFileSync(file, 'context:\n  engines:\n    compressor:\n      thresold: 0.5\n');
    writeFileSync(join(cwd, 'session.json'), JSON.stringify(session(4)));
    const commands = [['engines'], ['compact', 'session.json'], ['proxy', '--port', '0'], ['run', '--', 'agent']];
    for (const command of commands) {
      const { code, stderr } = await runHere(command, { cwd });
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain(`not valid in ${file}`);
    }
  });

  it('report what is wrong with a configuration', async () => {
    writeFileSync(join(project, 'palimpsest.config.yaml'), 'context: {engine: [\n');
    const { code, stdout, stderr } = await runHere(['engines'], { cwd: project });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^palimpsest: The configuration file .* cannot be read: .*\n$/);
  });
});

it.each(['--version', '-v'])('prints its version for %s', async (option) => {
  const { code, stdout, stderr } = await runHere([option], { cwd: '/' });
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it('never suggests installing an unknown package', async () => {
  const { stderr } = await runHere(['compare', 'x.json', '--engine', 'compresor'], { cwd: '/' });
  expect(stderr).toContain('Did you mean "compressor"?');
  for (const engine of ['compresor', 'lcm', '@acme/compressor'])
    expect((await runHere(['compare', 'x.json', '--engine', engine], { cwd: '/' })).stderr).not.toContain(
      'npm install',
    );
});

describe('help', () => {
  it.each(['compare', 'inspect', 'compact', 'redact', 'engines'])('of %s has examples', async (command) => {
    const { code, stdout, stderr } = await runHere([command, '--help'], { cwd: '/' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`Examples:\\n.*palimpsest ${command}`));
  });
});
