import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunTotals } from '../metrics.ts';
import type { Rejection } from './batch-work.ts';
import { fileFailure } from './file-failure.ts';
import { type Recipe, shardFingerprint } from './fingerprint.ts';
import { openInput } from './input-stream.ts';
import type { JournalRecord } from './journal.ts';
import { pump } from './pump.ts';
import { readBatches } from './read-batches.ts';
import { ownResumePoint, removeAllParts, takeOver, type Unfinished } from './resume-point.ts';
import type { RowPool } from './row-pool.ts';
import { shardPaths } from './shard-paths.ts';
import { finishedReport, type ShardReport } from './shard-report.ts';
import { finishParts, removeParts, ShardWriter, shardParts, startOfShard } from './shard-writer.ts';

/** The progress of a shard. Byte counts are those of the input file on disk, packed or not. */
interface ShardProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly totals: RunTotals;
}

export interface ShardOptions {
  readonly input: string;
  readonly output: string;
  readonly recipe: Recipe;
  readonly pool: RowPool;
  readonly unfinished: Unfinished;
  /** Skip a shard whose output exists and was made with the same options from the same input. */
  readonly skipsFinished: boolean;
  /** Marks the temporary files of this worker. With a mark, files of other workers on the shard are taken over. */
  readonly mark?: string | undefined;
  readonly maxRowBytes: number;
  readonly checkpointMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: ShardProgress) => void) | undefined;
  readonly onRejected?: ((rejection: Rejection) => void) | undefined;
  /** Called right before the output gets its final name. If it rejects, the shard stays unfinished. */
  readonly mayFinish?: (() => Promise<void>) | undefined;
  readonly now?: (() => number) | undefined;
}

/** Approximate size of a batch of lines, in bytes. */
const batchBytes = 256 * 1024;

/**
 * Compresses one file into another, and writes metrics, rejected rows and a report next to it.
 * @throws {PalimpsestError} `FILE_FAILED`, `RUN_UNFINISHED`; the signal's reason
 */
export async function compressShard(options: ShardOptions): Promise<ShardReport> {
  const { input, output, recipe, signal, now = Date.now } = options;
  const paths = shardPaths(output);
  const started = now();
  const fingerprint = await shardFingerprint(input, recipe).catch((error) => {
    throw fileFailure('read', input, error);
  });
  const parts = shardParts(paths, options.mark);
  if (options.skipsFinished) {
    const finished = await finishedReport(paths.report, output, fingerprint);
    // An earlier run may have been killed after it renamed the output and before it removed the journal.
    if (finished) await (options.mark === undefined ? removeParts(parts) : removeAllParts(paths));
    if (finished) return finished;
  }
  const report = ({ totals, outputBytes }: JournalRecord): ShardReport => ({
    input,
    output,
    totals,
    ratio: totals.tokensBefore === 0 ? 1 : totals.tokensAfter / totals.tokensBefore,
    settings: recipe.settings,
    tokenizer: recipe.tokenizer,
    summarizer: recipe.summarizer,
    outputBytes,
    wallMs: Math.round(now() - started),
    fingerprint,
  });
  try {
    await mkdir(dirname(output), { recursive: true });
    const from =
      options.mark === undefined
        ? await ownResumePoint(parts, fingerprint, options.unfinished)
        : await takeOver(paths, parts, fingerprint);
    if (from?.done && options.mark === undefined) {
      await finishParts(paths, parts, from, report(from));
      return report(from);
    }
    const { checkpointMs } = options;
    const writer = await ShardWriter.open({ paths, parts, fingerprint, from, checkpointMs, now });
    try {
      await writeRows(writer, from ?? startOfShard, options);
      await options.mayFinish?.();
      signal.throwIfAborted();
      const record = await writer.finish(report);
      return report(record);
    } catch (error) {
      await writer.close();
      throw error;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw fileFailure('write', output, error);
  }
}

async function writeRows(writer: ShardWriter, from: JournalRecord, options: ShardOptions): Promise<void> {
  const { input, pool, signal, maxRowBytes } = options;
  try {
    const { size: totalBytes } = await stat(input);
    const source = await openInput(input, from.offset);
    const { offset, line } = from;
    const batches = readBatches(source.chunks, { offset, line, batchBytes, maxRowBytes });
    await pump(batches, {
      pool,
      file: input,
      signal,
      async commit(result, { nextLine, endOffset }) {
        await writer.commit(result, nextLine, endOffset).catch((error: unknown) => {
          throw fileFailure('write', options.output, error);
        });
        for (const rejection of result.rejected) options.onRejected?.(rejection);
        options.onProgress?.({ bytes: source.bytesRead(), totalBytes, totals: writer.totals });
      },
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw fileFailure('read', input, error);
  }
}
