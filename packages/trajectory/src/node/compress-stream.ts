import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { unpackedIfPacked } from './input-stream.ts';
import { openRun } from './open-run.ts';
import { pump } from './pump.ts';
import { readBatches } from './read-batches.ts';
import type { RunOptions } from './run-options.ts';

export interface StreamOptions extends RunOptions {
  /** Number of threads. @default 1, because the other programs of a pipe need processors too */
  readonly workers?: number | undefined;
  /** Name of the source, for reports of rejected rows. @default '-' */
  readonly name?: string | undefined;
  /** Receives one line of JSON per trajectory. Without it, rows that are certainly small enough are not counted. */
  readonly metrics?: Writable | undefined;
  /** Receives one line of JSON per rejected row, with its text. */
  readonly rejects?: Writable | undefined;
  readonly onRejected?: ((line: number, reason: string) => void) | undefined;
}

/**
 * Compresses JSONL from one stream to another, in order and in bounded memory. Gzipped input is unpacked. A row is
 * written when it and all rows before it are done. Does not end the streams.
 * @returns the totals, without the tokens of rows that were not counted
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

/** Writes to a stream, and waits for a slow reader. */
async function write(stream: Writable, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  if (bytes.length > 0 && !stream.write(bytes)) await once(stream, 'drain', { signal });
}
