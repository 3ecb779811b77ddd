import type { Writable } from 'node:stream';

/** The parts of the process that a command uses. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  /** Writes messages to standard error. */
  err(text: string): void;
  /** Standard error if it is a terminal that can show a progress bar; otherwise `null`. */
  readonly bar: NodeJS.WritableStream | null;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export function processTerminal(signal: AbortSignal): Terminal {
  const canMove = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    err: (text) => void process.stderr.write(text),
    bar: canMove ? process.stderr : null,
    environment: process.env,
    signal,
  };
}
