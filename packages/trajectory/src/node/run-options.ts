import { availableParallelism } from 'node:os';
import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import type { CallGate } from '../calls/call-gate.ts';
import type { TrajectoryOptions } from '../trajectory-options.ts';

/** Options of everything that reads and writes rows. */
export interface RunOptions extends Omit<TrajectoryOptions, 'encoding' | 'template' | 'clock'> {
  /** `o200k_base`, `cl100k_base`, or the path of a module that exports `countTokens(text)`. @default 'o200k_base' */
  readonly tokenizer?: string | undefined;
  /**
   * Threads that compress. 1 works in this thread, as do the functions `countTokens` and `redact`, which cannot go to
   * another. @default one for each processor, at most 8
   */
  readonly workers?: number | undefined;
  /** Longer lines are rejected, in bytes. @default 64 MiB */
  readonly maxRowBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A limit on calls that other processes share. */
  readonly gate?: CallGate | undefined;
}

const mostThreads = 8;
const defaultMaxRowBytes = 64 * 2 ** 20;

/** How many threads a run has. */
export function threadsOf({ workers, countTokens, redact, summarizer }: RunOptions): number {
  if (workers !== undefined && (!Number.isSafeInteger(workers) || workers < 1)) throw refuse('workers');
  if (countTokens || redact || isOfflineWriter(summarizer)) return 1;
  return workers ?? Math.min(availableParallelism(), mostThreads);
}

export function maxRowBytesOf({ maxRowBytes = defaultMaxRowBytes }: RunOptions): number {
  if (!Number.isSafeInteger(maxRowBytes) || maxRowBytes < 1) throw refuse('maxRowBytes');
  return maxRowBytes;
}

/** A writer of one's own that calls no model: it works where it is, and needs no desk. */
export function isOfflineWriter(summarizer: Summarizer | undefined): boolean {
  return summarizer?.offline === true;
}

function refuse(name: string): PalimpsestError {
  const message = `${name}: expected a whole number of at least 1.`;
  return new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: [name], message }] });
}
