import type { Queue, QueueEvents, Worker } from 'bullmq';
import type { CallGate } from '../calls/call-gate.ts';
import type { QueueLibraries } from './load-bullmq.ts';
import { callsQueueName, defaultQueue, lastingConnection, type QueuePlace } from './queue-place.ts';
import { watchStandstills } from './standstills.ts';

/**
 * The limit on calls of a model that all machines share. Each call first sends a job without content through a queue
 * with a rate limit, and goes out when it is done, whoever did it: counting and waiting are BullMQ's.
 */
export interface CallPermits extends CallGate {
  close(): Promise<void>;
}

/** After this long, whether a permit was given is asked again: a restart of the server may have cost the news. */
const askAgainMs = 10_000;
/** Permits that nobody looks at any more. */
const kept = { age: 600, count: 5_000 };

export function openCallPermits(
  { bullmq }: QueueLibraries,
  place: QueuePlace,
  onError: (error: Error) => void,
): CallPermits {
  const name = callsQueueName(place.queue ?? defaultQueue);
  const connection = lastingConnection(place);
  const queue: Queue = new bullmq.Queue(name, { connection });
  const events: QueueEvents = new bullmq.QueueEvents(name, { connection });
  const options = { connection, concurrency: 50, maxStalledCount: 100 };
  const worker: Worker = new bullmq.Worker(name, () => Promise.resolve(), options);
  // Each call that waits for its permit listens to both.
  queue.setMaxListeners(0);
  events.setMaxListeners(0);
  queue.on('error', onError);
  events.on('error', onError);
  worker.on('error', onError);
  const standstills = watchStandstills();
  /** Resolves when a permit was given; `false` when it may have been long ago. */
  const given = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const asked = performance.now();
    const permit = await queue.add('call', null, { removeOnComplete: kept, removeOnFail: kept });
    while (!signal?.aborted) {
      const isFinished = await permit.waitUntilFinished(events, askAgainMs).then(
        () => true,
        () => false,
      );
      const state = isFinished ? 'completed' : await permit.getState();
      if (state === 'completed') return !standstills.hasBeenSince(asked);
      if (state === 'failed' || state === 'unknown') return false;
    }
    return true;
  };
  return {
    async pass(signal) {
      // Without a limit there is nothing to wait for.
      if ((await queue.getGlobalRateLimit()) === null) return;
      while (!(await given(signal)));
    },
    holdFor: (milliseconds) => void queue.rateLimit(Math.ceil(milliseconds)).catch(onError),
    async close() {
      standstills.stop();
      await worker.close(true);
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
