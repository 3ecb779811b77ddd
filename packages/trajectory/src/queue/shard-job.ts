import { createHash } from 'node:crypto';
import type { Job, Queue } from 'bullmq';
import type { RunTotals } from '../metrics.ts';
import type { SummarizerChoice } from '../node/summarizer-choice.ts';
import type { ResolvedSettings } from '../trajectory-options.ts';

/** One file to be compressed, by whichever worker comes first. JSON; holds no key. */
export interface ShardJobData {
  /** Absolute paths, the same on every machine. */
  readonly input: string;
  readonly output: string;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  readonly summarizer: SummarizerChoice;
  readonly maxRowBytes: number;
}

/** How far a job is, as its worker last said. */
export interface ShardJobProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly rows: number;
  /** The machine and process that says so. */
  readonly worker: string;
}

/** What is kept of a job that is done; the rest is in the report beside its output. */
export interface ShardJobResult {
  readonly totals: RunTotals;
  readonly wallMs: number;
}

export type ShardJob = Job<ShardJobData, ShardJobResult>;
export type ShardQueue = Queue<ShardJobData, ShardJobResult>;

/** A job for each output: the same output is never made twice at a time. */
export function shardJobId(output: string): string {
  return `shard-${createHash('sha256').update(output).digest('hex').slice(0, 32)}`;
}
