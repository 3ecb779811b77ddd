import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { unpackedIfPacked } from './input-stream.ts';
import { openRun } from './open-run.ts';
import { pump } from './pump.ts';
import { readBatches } from './read-batches.ts';
import type { RunOptions } from './run-options.ts';

export interface StreamOptions extends RunOptions {
  /** Threads that compress. @default 1: a pipe has its neighbours for company */
  readonly workers?: number | undefined;
  /** Names the source where a bad row is reported. @default '-' */
  readonly name?: string | undefined;
  /** Receives a line of JSON for each trajectory. Without it, rows that are certainly small enough are not counted. */
  readonly metrics?: Writable | undefined;
  /** Receives a line of JSON for each bad row, with its text. */
  readonly rejects?: Writable | undefined;
  readonly onRejected?: ((line: number, reason: string) => void) | undefined;
}

/**
 * Compresses JSONL from a stream to another, in order, in bounded memory; gzip is recognised and unpacked. Each row is
 * written as soon as it and those before it are done. Ends neither stream.
 * @returns the sums; tokens of rows that were not counted are not in them
 */
export async function compressStream(
  source: AsyncIterable<Uint8Array>,
  output: Writable,
  options: StreamOptions = {},
): Promise<RunTotals> {
  const { name = '-', metrics, rejects } = options;
  const run = await openRun({ ...options, workers: options.workers ?? 1 }, metrics !== undefined);
  let totals = noTotals;
  try {
    const batches = readBatches(unpackedIfPacked(source), { batchBytes: 0, maxRowBytes: run.maxRowBytes });
    await pump(batches, {
      pool: run.pool,
      file: name,
      signal: run.signal,
      async commit(result) {
        await write(output, result.output, run.signal);
        if (metrics) await write(metrics, result.metrics, run.signal);
        if (rejects) await write(rejects, result.rejects, run.signal);
        for (const { line, reason } of result.rejected) options.onRejected?.(line, reason);
        totals = addTotals(totals, result.totals);
      },
    });
    return totals;
  } catch (error) {
    throw run.signal.aborted ? run.signal.reason : error;
  } finally {
    await run.close();
  }
}

/** Writes, and waits when the reader is slower. */
async function write(stream: Writable, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  if (bytes.length > 0 && !stream.write(bytes)) await once(stream, 'drain', { signal });
}
