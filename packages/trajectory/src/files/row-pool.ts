import { Piscina } from 'piscina';
import type { TrajectoryContext } from '../context.ts';
import type { ResolvedSettings } from '../options.ts';
import { type BatchResult, compactBatch } from './batch.ts';
import type { LineBatch } from './read-batches.ts';

/** The data a worker thread starts with. Plain JSON. */
export interface ThreadData {
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
}

/** Compacts batches, in this thread or in several. */
export interface RowPool {
  /** Maximum number of pending batches. */
  readonly capacity: number;
  /** @param file name of the source, for the reject file */
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

/** Compacts in this thread. Calls to a model overlap; the work between them does not. */
export function inlinePool(context: TrajectoryContext, signal: AbortSignal): RowPool {
  return {
    capacity: context.openCalls ? waitingBatches : 1,
    run: (batch, file) => compactBatch(batch, file, context, signal),
    close: () => Promise.resolve(),
  };
}

/** Compacts in worker threads, each with its own tokenizer. They call no model. */
export function threadPool(threads: number, workerData: ThreadData, signal: AbortSignal): RowPool {
  const pool = new Piscina<readonly [LineBatch, string], BatchResult>({
    filename: new URL(script, import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    workerData,
    recordTiming: false,
    resourceLimits,
  });
  return {
    // One batch per thread, and one more waiting for it.
    capacity: threads * 2,
    run: (batch, file) => pool.run([batch, file], { signal }),
    close: () => pool.destroy(),
  };
}
