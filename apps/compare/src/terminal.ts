import { homedir } from 'node:os';
import { createColors } from 'picocolors';

/** All that a command uses of the process, so that a test can stand in for it. */
export interface Terminal {
  readonly cwd: string;
  /** The user's home folder. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Writes to standard output: results, and nothing else. */
  out(text: string): void;
  /** Writes to standard error: what is said about the results. */
  err(text: string): void;
  /** Makes the process end with this code, once everything else is done. */
  fail(exitCode: 1 | 2): void;
  /** Characters a line of standard output holds; `null` when it is no terminal. */
  readonly columns: number | null;
  /** Whether standard error is a terminal, so that progress makes sense. */
  readonly progress: boolean;
  readonly colours: Colours;
  readonly signal: AbortSignal;
}

export type Colours = ReturnType<typeof createColors>;

/** Colour only on a terminal that can show it and whose user did not forbid it (https://no-color.org). */
export function coloursFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Colours {
  return createColors(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}

/** The real process. */
export function processTerminal(signal: AbortSignal): Terminal {
  return {
    cwd: process.cwd(),
    home: homedir(),
    env: process.env,
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    fail: (exitCode) => {
      process.exitCode = exitCode;
    },
    columns: process.stdout.isTTY ? process.stdout.columns : null,
    progress: process.stderr.isTTY === true && process.env.TERM !== 'dumb',
    colours: coloursFor(process.stdout, process.env),
    signal,
  };
}
