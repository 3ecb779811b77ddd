import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runHere } from '../comparison/run-here.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const cwd = fileURLToPath(new URL('.', import.meta.url));

/** The options that a command lists in its help. */
async function optionsOf(command: string): Promise<readonly string[]> {
  const { stdout } = await runHere([command, '--help'], { cwd });
  return [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
    .map(([, option]) => option!)
    .filter((one) => one !== '--help');
}

describe('the options in the documentation', () => {
  it('of commands on transcripts are those of the program', async () => {
    const commands = ['compare', 'inspect', 'savings', 'handoff', 'recall', 'compact', 'redact', 'engines'];
    const rows = [...read('docs/transcripts.md').matchAll(/^\| `(--[\w-]+)` \| ([^|]+) \|/gm)];
    const documented = (command: string): readonly string[] =>
      rows.flatMap(([, option, names]) => (names!.trim().split(', ').includes(command) ? [option!] : []));
    for (const command of commands)
      expect([command, ...documented(command)].sort()).toEqual([command, ...(await optionsOf(command))].sort());
  });

  it('of the proxy are those of the program', async () => {
    const documented = [...read('README.md').matchAll(/^\| `(--[\w-]+)` +\|/gm)].map(([, option]) => option!);
    expect([...documented].sort()).toEqual([...(await optionsOf('proxy'))].sort());
    expect((await optionsOf('run')).filter((option) => !documented.includes(option))).toEqual([]);
  });
});
