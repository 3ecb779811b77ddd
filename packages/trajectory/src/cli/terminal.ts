import type { Writable } from 'node:stream';

/** The parts of the process that a command uses. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  /** Writes messages to standard error. */
  err(text: string): void;
  /** Standard error if it is a terminal that can show a progress bar; otherwise `null`. */
  readonly bar: NodeJS.WritableStream | null;
  readonly signal: AbortSignal;
  /** Sets the exit code: 0 success, 1 failure, 2 wrong usage, 3 finished, but rows were rejected or not summarized. */
  exit(code: 0 | 1 | 2 | 3): void;
}
