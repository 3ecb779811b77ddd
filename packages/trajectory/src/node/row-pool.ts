import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { CallPool } from '../calls/call-pool.ts';
import { openCalls } from '../calls/trajectory-calls.ts';
import { type ContextOptions, createCompressContext } from '../compress-context.ts';
import { workerScript } from '../worker-script.ts';
import { type BatchResult, type BatchTask, compressBatch } from './batch-work.ts';
import { serveCalls } from './call-port.ts';
import type { ThreadData, ThreadTask } from './thread-protocol.ts';

/** Compresses batches, in this thread or in several. */
export interface RowPool {
  /** Maximum number of pending batches. */
  readonly capacity: number;
  run(task: BatchTask): Promise<BatchResult>;
  close(): Promise<void>;
}

/** Maximum number of batches that wait for calls to a model. Each has at least one trajectory. */
const waitingBatches = 256;

/**
 * Memory limits of a thread, more than enough for the longest line. V8 lets garbage grow in proportion to its limits;
 * its default limits would use hundreds of megabytes more without being faster.
 */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 };

export interface PoolOptions {
  readonly wantsMetrics: boolean;
  /** Makes the calls; `null` if no model is called. */
  readonly callPool: CallPool | null;
  readonly signal: AbortSignal;
}

/** Creates a pool that compresses in this thread. Calls to a model overlap; the work between them does not. */
export async function inlinePool(
  options: ContextOptions,
  { wantsMetrics, callPool, signal }: PoolOptions,
): Promise<RowPool> {
  const opened = await createCompressContext(options);
  const context = callPool ? { ...opened, openCalls: () => openCalls(callPool) } : opened;
  const waitsForCalls = callPool !== null;
  return {
    capacity: waitsForCalls ? waitingBatches : 1,
    run: (task) => compressBatch(task, context, { wantsMetrics, waitsForCalls, signal }),
    close: () => Promise.resolve(),
  };
}

/** Creates a pool of worker threads, each with its own tokenizer. All calls to a model go through one call pool here. */
export function threadPool(
  threads: number,
  data: Omit<ThreadData, 'wantsMetrics' | 'callPool'>,
  { wantsMetrics, callPool, signal }: PoolOptions,
  script: URL = workerScript,
): RowPool {
  const about = callPool && { id: callPool.id, contextLength: callPool.contextLength };
  const concurrentTasksPerWorker = callPool ? Math.ceil(waitingBatches / threads) : 1;
  const pool = new Piscina<ThreadTask, BatchResult>({
    filename: script.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker,
    // A thread that waits for calls must receive their results.
    atomics: 'disabled',
    workerData: { ...data, wantsMetrics, callPool: about } satisfies ThreadData,
    recordTiming: false,
    resourceLimits,
  });
  return {
    // One batch per thread, and one more waiting for it.
    capacity: callPool ? waitingBatches : threads * 2,
    async run(task) {
      const { port1, port2 } = callPool ? new MessageChannel() : { port1: null, port2: null };
      if (callPool && port1) serveCalls(callPool, port1, signal);
      try {
        const transferList = port2 ? [task.bytes.buffer, port2] : [task.bytes.buffer];
        return await pool.run({ ...task, port: port2 }, { transferList, signal });
      } finally {
        port1?.close();
      }
    },
    close: () => pool.destroy(),
  };
}
