import type { Terminal } from '@palimpsest/command-line/terminal';
import picocolors from 'picocolors';
import { runProgram } from '../../src/program.ts';
import type { Ran } from './run-cli.ts';

/** Runs the program in this process, with a terminal that records its output. */
export async function runHere(
  arguments_: readonly string[],
  {
    cwd,
    stdin = '',
    columns = null,
    progress = false,
    colour = false,
    signal = new AbortController().signal,
    // Tests must not read the real home folder.
    home = `${cwd}/no-home`,
    env = {},
    confirm = null,
  }: {
    cwd: string;
    stdin?: string;
    columns?: number | null;
    progress?: boolean;
    colour?: boolean;
    signal?: AbortSignal;
    home?: string;
    env?: NodeJS.ProcessEnv;
    confirm?: Terminal['confirm'];
  },
): Promise<Ran> {
  let [stdout, stderr, code] = ['', '', 0];
  const terminal: Terminal = {
    cwd,
    home,
    env,
    stdin: (async function* () {
      yield Buffer.from(stdin);
    })(),
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    fail: (exitCode) => {
      code = exitCode;
    },
    columns,
    progress,
    confirm,
    colours: picocolors.createColors(colour),
    signal,
  };
  await runProgram(arguments_, terminal);
  return { code, stdout, stderr };
}
