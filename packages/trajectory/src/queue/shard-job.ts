import { createHash } from 'node:crypto';
import type { Job, Queue } from 'bullmq';
import type { RunTotals } from '../metrics.ts';
import type { SummarizerChoice } from '../node/summarizer-choice.ts';
import type { ResolvedSettings } from '../trajectory-options.ts';

/** The data of a job: one file to compress. Plain JSON, without keys. */
export interface ShardJobData {
  /** Absolute paths, the same on every machine. */
  readonly input: string;
  readonly output: string;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  readonly summarizer: SummarizerChoice;
  readonly maxRowBytes: number;
}

/** The progress of a job, as its worker reports it. */
export interface ShardJobProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly rows: number;
  /** The worker's host name and process id. */
  readonly worker: string;
}

/** The result of a finished job. The report next to the output has the details. */
export interface ShardJobResult {
  readonly totals: RunTotals;
  readonly wallMs: number;
}

export type ShardJob = Job<ShardJobData, ShardJobResult>;
export type ShardQueue = Queue<ShardJobData, ShardJobResult>;

/** The job id of an output. One id per output prevents two jobs from writing the same file at the same time. */
export function shardJobId(output: string): string {
  return `shard-${createHash('sha256').update(output).digest('hex').slice(0, 32)}`;
}
