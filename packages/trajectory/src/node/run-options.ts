import { availableParallelism } from 'node:os';
import type { Summarizer } from '@palimpsest/core';
import type { CallGate } from '../calls/call-gate.ts';
import type { RunOptionCheck } from '../option-check.ts';
import type { TrajectoryOptions } from '../trajectory-options.ts';

/** Options of a run over files, a stream or a queue. */
export interface RunOptions extends Omit<TrajectoryOptions, 'encoding' | 'template' | 'clock'> {
  /** `o200k_base`, `cl100k_base`, or the path of a module that exports `countTokens(text)`. @default 'o200k_base' */
  readonly tokenizer?: string | undefined;
  /**
   * Number of threads. With 1, or with the functions `countTokens` or `redact`, the run stays in the calling thread,
   * because functions cannot be sent to another one. @default one per processor, at most 8
   */
  readonly workers?: number | undefined;
  /** Longest line in bytes. Longer ones are rejected. @default 64 MiB */
  readonly maxRowBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A limit on calls that is shared with other processes. */
  readonly gate?: CallGate | undefined;
}

const maxThreads = 8;
const defaultMaxRowBytes = 64 * 2 ** 20;

/** The number of threads of a run. Reports an invalid one to `check`. */
export function resolveThreads(
  check: RunOptionCheck,
  { workers, countTokens, redact, summarizer }: RunOptions,
): number {
  const threads = check.wholeNumber('workers', workers, Math.min(availableParallelism(), maxThreads), 1);
  return countTokens || redact || isOfflineSummarizer(summarizer) ? 1 : threads;
}

/** The longest line in bytes. Reports an invalid one to `check`. */
export function resolveMaxRowBytes(check: RunOptionCheck, { maxRowBytes }: Pick<RunOptions, 'maxRowBytes'>): number {
  return check.wholeNumber('maxRowBytes', maxRowBytes, defaultMaxRowBytes, 1);
}

/** True for a custom summarizer that calls no model. It runs in the calling thread and needs no call pool. */
export function isOfflineSummarizer(summarizer: Summarizer | undefined): boolean {
  return summarizer?.offline === true;
}
