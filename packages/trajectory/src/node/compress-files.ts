import { stat } from 'node:fs/promises';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { RunOptionCheck, shown } from '../option-check.ts';
import { compressShard } from './compress-shard.ts';
import { findShards, type Shard } from './find-inputs.ts';
import { openRun } from './open-run.ts';
import type { Unfinished } from './resume-point.ts';
import type { RunOptions } from './run-options.ts';
import type { ShardReport } from './shard-report.ts';

/** The progress of a run over files. */
export interface FilesProgress {
  /** Bytes read from all inputs, as they are on disk, packed or not. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly totals: RunTotals;
}

export interface FilesOptions extends RunOptions {
  /** The output file, or a folder if there are several inputs or the input is a folder. */
  readonly out: string;
  /**
   * What to do if an earlier run did not finish: `resume` continues where it stopped and skips finished files,
   * `restart` starts over, `refuse` throws `RUN_UNFINISHED`. @default 'refuse'
   */
  readonly unfinished?: Unfinished | undefined;
  /** Milliseconds between saves of the progress. A crash loses at most this much work. @default 200 */
  readonly checkpointMs?: number | undefined;
  readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
  readonly onRejected?: ((file: string, line: number, reason: string) => void) | undefined;
}

/** The result of a run over files. */
export interface FilesReport {
  readonly totals: RunTotals;
  /** `tokensAfter / tokensBefore`; 1 if there were no tokens. */
  readonly ratio: number;
  /** Elapsed time in milliseconds. */
  readonly wallMs: number;
  /** One report per file, in order. */
  readonly shards: readonly ShardReport[];
}

/**
 * Compresses JSONL files, plain or gzipped, or folders of them. An output file appears only when it is complete. Next
 * to it are `.metrics.jsonl`, `.report.json` and, if rows were rejected, `.rejects.jsonl`.
 * @throws {PalimpsestError} `OPTION_INVALID`, `FILE_FAILED`, `RUN_UNFINISHED`; `SUMMARIZER_FAILED` if the summarizer
 * keeps failing (finished rows are kept). Also throws the reason of `signal`
 */
export async function compressFiles(inputs: readonly string[], options: FilesOptions): Promise<FilesReport> {
  const started = Date.now();
  const shards = await findShards(inputs, options.out, process.cwd());
  const sizes = await sizesOf(shards);
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  const { unfinished = 'refuse' } = options;
  const check = new RunOptionCheck();
  const checkpointMs = check.wholeNumber('checkpointMs', options.checkpointMs, 200, 0);
  const isKnown = ['resume', 'restart', 'refuse'].includes(unfinished);
  check.expect(isKnown, 'unfinished', 'resume, restart or refuse', shown(unfinished));
  const run = await openRun(options, true, check);
  const reports: ShardReport[] = [];
  let totals = noTotals;
  let bytes = 0;
  try {
    for (const [index, { input, output }] of shards.entries()) {
      const report = await compressShard({
        input,
        output,
        recipe: run.recipe,
        pool: run.pool,
        unfinished,
        skipsFinished: unfinished === 'resume',
        maxRowBytes: run.maxRowBytes,
        checkpointMs,
        signal: run.signal,
        onProgress: (shard) =>
          options.onProgress?.({ bytes: bytes + shard.bytes, totalBytes, totals: addTotals(totals, shard.totals) }),
        onRejected: ({ line, reason }) => options.onRejected?.(input, line, reason),
      });
      reports.push(report);
      totals = addTotals(totals, report.totals);
      bytes += sizes[index]!;
    }
  } finally {
    await run.close();
  }
  const ratio = totals.tokensBefore === 0 ? 1 : totals.tokensAfter / totals.tokensBefore;
  return { totals, ratio, wallMs: Date.now() - started, shards: reports };
}

async function sizesOf(shards: readonly Shard[]): Promise<number[]> {
  return Promise.all(shards.map(async ({ input }) => (await stat(input)).size));
}
