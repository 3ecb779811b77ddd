import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { CallDesk } from '../calls/call-desk.ts';
import { openCalls } from '../calls/trajectory-calls.ts';
import { workerScript } from '../worker-script.ts';
import { openWorkshop, type WorkshopOptions } from '../workshop.ts';
import { type BatchResult, type BatchTask, compressBatch } from './batch-work.ts';
import { serveDesk } from './desk-port.ts';
import type { ThreadData, ThreadTask } from './thread-protocol.ts';

/** Where batches are compressed: in this thread, or in several. */
export interface RowPool {
  /** How many batches may be under way. */
  readonly capacity: number;
  run(task: BatchTask): Promise<BatchResult>;
  close(): Promise<void>;
}

/** Batches that may wait for calls of a model at a time; each holds at least one trajectory. */
const waitingBatches = 256;

/**
 * What a thread may take. Enough for the longest line by far; the engine lets garbage grow in proportion to what it
 * may have, and with its own limits that is hundreds of megabytes more for nothing.
 */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 };

export interface PoolOptions {
  readonly wantsMetrics: boolean;
  /** Where calls are made; `null` when no model is called. */
  readonly desk: CallDesk | null;
  readonly signal: AbortSignal;
}

/** Compresses in this thread. Calls of a model overlap; the work between them does not. */
export async function inlinePool(
  options: WorkshopOptions,
  { wantsMetrics, desk, signal }: PoolOptions,
): Promise<RowPool> {
  const opened = await openWorkshop(options);
  const workshop = desk ? { ...opened, openCalls: () => openCalls(desk) } : opened;
  const waitsForCalls = desk !== null;
  return {
    capacity: waitsForCalls ? waitingBatches : 1,
    run: (task) => compressBatch(task, workshop, { wantsMetrics, waitsForCalls, signal }),
    close: () => Promise.resolve(),
  };
}

/** Compresses in worker threads, each with a tokenizer of its own; calls of a model all go through the desk here. */
export function threadPool(
  threads: number,
  data: Omit<ThreadData, 'wantsMetrics' | 'desk'>,
  { wantsMetrics, desk, signal }: PoolOptions,
  script: URL = workerScript,
): RowPool {
  const about = desk && { id: desk.id, contextLength: desk.contextLength };
  const concurrentTasksPerWorker = desk ? Math.ceil(waitingBatches / threads) : 1;
  const pool = new Piscina<ThreadTask, BatchResult>({
    filename: script.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker,
    // A thread that waits for calls has to hear the answers.
    atomics: 'disabled',
    workerData: { ...data, wantsMetrics, desk: about } satisfies ThreadData,
    recordTiming: false,
    resourceLimits,
  });
  return {
    // One batch in each thread, one more waiting for it.
    capacity: desk ? waitingBatches : threads * 2,
    async run(task) {
      const { port1, port2 } = desk ? new MessageChannel() : { port1: null, port2: null };
      if (desk && port1) serveDesk(desk, port1, signal);
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
