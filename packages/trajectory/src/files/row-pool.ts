import { Piscina } from 'piscina';
import type { CompressContext } from '../context.ts';
import type { TrajectorySettings } from '../options.ts';
import { type BatchResult, type BatchRows, collect, compressRows, countRows, type LineResult } from './batch.ts';
import type { LineBatch } from './read-batches.ts';

/** The data a worker thread starts with. Plain JSON. */
export interface ThreadData {
  readonly settings: TrajectorySettings;
  readonly tokenizer: string;
  /** Leave the rows over the target to the main thread, which calls a model. */
  readonly onlyCounts: boolean;
}

/** Compresses batches, in this thread or in several. */
export interface RowPool {
  /** Maximum number of pending batches. */
  readonly capacity: number;
  run(batch: LineBatch, file: string): Promise<BatchResult>;
  close(): Promise<void>;
}

/** Maximum number of batches that wait for calls to a model. Each has at least one trajectory. */
const waitingBatches = 256;

/**
 * Memory limits of a thread, more than enough for the longest line. V8 lets garbage grow in proportion to its limits;
 * its default limits would use hundreds of megabytes more without being faster.
 */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 };

/** The script of a thread, next to the entries. In the sources, it is one folder further up than this file. */
const script = import.meta.url.endsWith('.ts') ? '../worker-thread.ts' : './worker-thread.js';

/** Creates a pool that compresses in this thread. Calls to a model overlap; the work between them does not. */
export function inlinePool(context: CompressContext, signal: AbortSignal): RowPool {
  return {
    capacity: context.openCalls ? waitingBatches : 1,
    async run(batch, file) {
      const counted = countRows(batch.lines, context);
      return collect(batch, await compressRows(batch.lines, counted, context, signal), file);
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Creates a pool of worker threads, each with its own tokenizer. If a model is called, the threads only count, and the
 * rows over the target are compressed here, where all calls share their limits.
 * @param context of this thread, if a model is called
 */
export function threadPool(
  threads: number,
  data: Omit<ThreadData, 'onlyCounts'>,
  context: CompressContext | null,
  signal: AbortSignal,
): RowPool {
  const pool = new Piscina<BatchRows, LineResult[]>({
    filename: new URL(script, import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    workerData: { ...data, onlyCounts: context !== null } satisfies ThreadData,
    recordTiming: false,
    resourceLimits,
  });
  return {
    // One batch per thread, and one more waiting for it.
    capacity: context ? waitingBatches : threads * 2,
    async run(batch, file) {
      const results = await pool.run(batch.lines, { signal });
      return collect(batch, context ? await compressRows(batch.lines, results, context, signal) : results, file);
    },
    close: () => pool.destroy(),
  };
}
