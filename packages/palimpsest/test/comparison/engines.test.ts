import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';

const example = fileURLToPath(new URL('../../../../examples/third-party-engine/src/index.js', import.meta.url));
const project = scratchFolder().path;

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
    const { code, stdout, stderr } = await runHere(['engines'], { cwd: project });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^[a-z-]+(?= .*none$)/gm)).toEqual(['compressor', 'prune-compact', 'forgetful']);
  });

  it('do not hide the others when one is broken', async () => {
    mkdirSync(join(folder, 'broken'), { recursive: true });
    writeFileSync(join(folder, 'broken', 'index.js'), 'export default 7;');
    const { code, stdout, stderr } = await runHere(['engines'], { cwd: project });
    expect(code).toBe(0);
    expect(stdout).toContain('forgetful');
    expect(stderr).toMatch(/^engine of this folder: .*broken.*\n$/);
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
  it.each(['compare', 'inspect', 'compress', 'redact', 'engines'])('of %s has examples', async (command) => {
    const { code, stdout, stderr } = await runHere([command, '--help'], { cwd: '/' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`Examples:\\n.*palimpsest ${command}`));
  });
});
