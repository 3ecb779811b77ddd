import type { Writable } from 'node:stream';

/** All that a command uses of the process. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  /** Writes to standard error: what is said about the results. */
  err(text: string): void;
  /** Standard error, when it is a terminal on which a bar can move. */
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
