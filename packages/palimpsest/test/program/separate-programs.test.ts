import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runHere } from '../comparison/run-here.ts';
import { runningProgram } from './running-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

// The package eval is always next to the sources of this program, which imports parts of it.
describe('palimpsest trajectory', () => {
  const name = 'trajectory';

  it('says how to install the package', async () => {
    // Without the package folder of this repository.
    const running = runningProgram([name, '--help'], { cwd: folder, env: { NODE_PATH: '' } });
    expect(await running.ended).toBe(1);
    expect(running.stderr).toBe(
      `palimpsest: @palimpsest/${name} is not installed; install it with: npm install @palimpsest/${name}\n`,
    );
  });

  it('runs no program of a folder that is not trusted', async () => {
    const seen = installProgram(name);
    const untrusted = runningProgram([name, ...given], { cwd: folder, env: { NODE_PATH: '' } });
    expect(await untrusted.ended).toBe(1);
    expect(untrusted.stderr).toContain(
      `@palimpsest/${name} is installed only in this folder; run it by its own command`,
    );
    expect(existsSync(seen)).toBe(false);
  });
});

describe.each(['trajectory', 'eval'])('palimpsest %s', (name) => {
  it('runs the program of the package of a trusted folder with all arguments, and has its exit code', async () => {
    const seen = installProgram(name);
    const trusting = { cwd: folder, home: join(folder, `home-${name}`), confirm: async () => true };
    expect((await runHere([name, ...given], trusting)).code).toBe(3);
    expect((await import(seen, { with: { type: 'json' } })).default).toEqual(given);
  });
});

const given = ['compact', 'a.jsonl', '--out', 'b.jsonl', '--help', '--', '-x'];

/** Installs a program in the folder that writes its arguments to a file. Returns the path of the file. */
function installProgram(name: string): string {
  const own = join(folder, `package-${name}`);
  const seen = join(folder, `seen-${name}.json`);
  const link = join(folder, `node_modules/@palimpsest/${name}`);
  if (existsSync(link)) return seen;
  mkdirSync(join(folder, 'node_modules/@palimpsest'), { recursive: true });
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), JSON.stringify({ bin: { [`palimpsest-${name}`]: './cli.cjs' } }));
  writeFileSync(
    join(own, 'cli.cjs'),
    `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.argv.slice(2))); process.exit(3);`,
  );
  symlinkSync(own, link, 'junction');
  return seen;
}
