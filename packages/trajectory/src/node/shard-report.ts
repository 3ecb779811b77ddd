import { readFile, stat } from 'node:fs/promises';
import type { RunTotals } from '../metrics.ts';
import type { ResolvedSettings } from '../trajectory-options.ts';

/** What was done to one file; written beside its output. */
export interface ShardReport {
  readonly input: string;
  readonly output: string;
  readonly totals: RunTotals;
  /** Tokens after, per token before; 1 for an empty file. */
  readonly ratio: number;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  /** Who wrote the summaries. */
  readonly summarizer: string;
  /** Bytes of the output as it lies on the disk. */
  readonly outputBytes: number;
  /** Time on the clock, in milliseconds; of the last of several attempts. */
  readonly wallMs: number;
  /** Tells runs with other options, or on another input, apart. */
  readonly fingerprint: string;
}

/** The report of a shard that is finished and whole; `null` when it still has to be done. */
export async function finishedReport(path: string, output: string, fingerprint: string): Promise<ShardReport | null> {
  try {
    const report = JSON.parse(await readFile(path, 'utf8')) as ShardReport;
    const { size } = await stat(output);
    return report.fingerprint === fingerprint && report.outputBytes === size ? report : null;
  } catch {
    return null;
  }
}
