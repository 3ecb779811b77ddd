import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import { createColors } from 'picocolors';

/** The parts of the process that commands use. Tests replace it. */
export interface Terminal {
  readonly cwd: string;
  /** The user's home folder. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Writes to standard output, for results only. */
  out(text: string): void;
  /** Writes to standard error, for messages about the results. */
  err(text: string): void;
  /** Sets the exit code. The process ends when all work is done. */
  fail(exitCode: number): void;
  /** Width of standard output in characters; `null` if it is not a terminal. */
  readonly columns: number | null;
  /** True if standard error is a terminal, so that progress can be shown. */
  readonly progress: boolean;
  /** Asks the user a question that is answered with yes or no; `null` without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
  readonly colours: Colours;
  readonly signal: AbortSignal;
}

export type Colours = ReturnType<typeof createColors>;

/**
 * Enables colour on a capable terminal, and elsewhere with `FORCE_COLOR`; `FORCE_COLOR=0` disables it. Never with
 * `NO_COLOR` (https://no-color.org).
 */
export function coloursFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Colours {
  const forced = env.FORCE_COLOR ? !/^(?:0|false)$/.test(env.FORCE_COLOR) : null;
  return createColors(!env.NO_COLOR && (forced ?? (stream.isTTY === true && env.TERM !== 'dumb')));
}

/** A terminal backed by the real process. */
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
    confirm: process.stdin.isTTY && process.stderr.isTTY ? confirm : null,
    colours: coloursFor(process.stdout, process.env),
    signal,
  };
}

/** Anything but `y` or `yes` is no, also the end of the input. */
function confirm(question: string): Promise<boolean> {
  // Without `terminal: false`, Ctrl-C would no longer reach the process.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(false));
    lines.question(`${question} (y/N) `, (answer) => {
      resolve(/^y(?:es)?$/i.test(answer.trim()));
      lines.close();
    });
  });
}
