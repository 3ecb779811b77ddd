import { readFile, stat } from 'node:fs/promises';
import type { RunTotals } from '../metrics.ts';
import type { ResolvedSettings } from '../trajectory-options.ts';

/** The report of one file, written next to its output. */
export interface ShardReport {
  readonly input: string;
  readonly output: string;
  readonly totals: RunTotals;
  /** `tokensAfter / tokensBefore`; 1 for an empty file. */
  readonly ratio: number;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  /** Id of the summarizer. */
  readonly summarizer: string;
  /** Size of the output file on disk, packed or not. */
  readonly outputBytes: number;
  /** Elapsed time in milliseconds, of the last attempt only. */
  readonly wallMs: number;
  /** Digest of the options and the input. */
  readonly fingerprint: string;
}

/** Reads the report of a finished shard with a complete output; `null` if the shard is not finished. */
export async function finishedReport(path: string, output: string, fingerprint: string): Promise<ShardReport | null> {
  try {
    const report = JSON.parse(await readFile(path, 'utf8')) as ShardReport;
    const { size } = await stat(output);
    return report.fingerprint === fingerprint && report.outputBytes === size ? report : null;
  } catch {
    return null;
  }
}
