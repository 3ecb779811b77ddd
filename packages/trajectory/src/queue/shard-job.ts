import type { Job } from 'bullmq';
import type { SummarizerChoice } from '../files/run.ts';
import type { RunTotals } from '../metrics.ts';
import type { ResolvedSettings } from '../options.ts';

/** The data of a job: one file to compact. Plain JSON, without keys. */
export interface ShardJobData {
  /** Absolute paths, the same on every machine. */
  readonly input: string;
  readonly output: string;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  readonly summarizer: SummarizerChoice;
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
