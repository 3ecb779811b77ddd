import { stat } from 'node:fs/promises';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { compressShard } from './compress-shard.ts';
import { findShards, type Shard } from './find-inputs.ts';
import { openRun } from './open-run.ts';
import type { Unfinished } from './resume-point.ts';
import type { RunOptions } from './run-options.ts';
import type { ShardReport } from './shard-report.ts';

/** How far a run over files is. */
export interface FilesProgress {
  /** Bytes of all inputs, as they lie on the disk. */
  readonly bytes: number;
  readonly totalBytes: number;
  readonly totals: RunTotals;
}

export interface FilesOptions extends RunOptions {
  /** The output file; or a folder, for several inputs or a folder of them. */
  readonly out: string;
  /**
   * What to do when an earlier run did not finish: `resume` goes on where it stopped and skips files that are done;
   * `restart` begins anew; `refuse` throws `RUN_UNFINISHED`. @default 'refuse'
   */
  readonly unfinished?: Unfinished | undefined;
  /** Milliseconds of work that a crash may cost. @default 200 */
  readonly checkpointMs?: number | undefined;
  readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
  readonly onRejected?: ((file: string, line: number, reason: string) => void) | undefined;
}

/** What a run over files did. */
export interface FilesReport {
  readonly totals: RunTotals;
  readonly ratio: number;
  readonly wallMs: number;
  /** One for each file, in order. */
  readonly shards: readonly ShardReport[];
}

/**
 * Compresses files of JSONL, plain or gzipped, or whole folders of them. An output appears under its name when it is
 * whole; beside it lie `.metrics.jsonl`, `.report.json` and, when there were bad rows, `.rejects.jsonl`.
 * @throws {PalimpsestError} `OPTION_INVALID`, `FILE_FAILED`, `RUN_UNFINISHED`, `SUMMARIZER_FAILED` when the summarizer
 * does not work at all; what is done by then is kept. The reason of `signal`
 */
export async function compressFiles(inputs: readonly string[], options: FilesOptions): Promise<FilesReport> {
  const started = Date.now();
  const shards = await findShards(inputs, options.out, process.cwd());
  const sizes = await sizesOf(shards);
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  const { unfinished = 'refuse', checkpointMs = 200 } = options;
  const run = await openRun(options, true);
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
