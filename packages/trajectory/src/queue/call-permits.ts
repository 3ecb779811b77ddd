import type { Queue, QueueEvents, Worker } from 'bullmq';
import type { CallGate } from '../calls/call-gate.ts';
import type { QueueLibraries } from './load-bullmq.ts';
import { callsQueueName, defaultQueue, lastingConnection, type QueuePlace } from './queue-place.ts';
import { watchSuspensions } from './suspensions.ts';

/**
 * A limit on calls to a model that all machines share. Before each call, an empty job goes through a queue with a rate
 * limit; the call starts when any worker has completed the job. BullMQ does the counting and waiting.
 */
export interface CallPermits extends CallGate {
  close(): Promise<void>;
}

/**
 * Milliseconds between queries of a job's state. They are needed because a restart of the server can lose its event.
 */
const pollMs = 10_000;
/** Which finished jobs are kept: at most `age` seconds old, and at most `count` of them. */
const retention = { age: 600, count: 5_000 };

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
  // Each waiting call adds a listener to both.
  queue.setMaxListeners(0);
  events.setMaxListeners(0);
  queue.on('error', onError);
  events.on('error', onError);
  worker.on('error', onError);
  const suspensions = watchSuspensions();
  /** Waits for a permit. `false` if it is no longer valid, because it may have been given long ago. */
  const requestPermit = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const started = performance.now();
    const permit = await queue.add('call', null, { removeOnComplete: retention, removeOnFail: retention });
    while (!signal?.aborted) {
      const isFinished = await permit.waitUntilFinished(events, pollMs).then(
        () => true,
        () => false,
      );
      const state = isFinished ? 'completed' : await permit.getState();
      if (state === 'completed') return !suspensions.happenedSince(started);
      if (state === 'failed' || state === 'unknown') return false;
    }
    return true;
  };
  return {
    async pass(signal) {
      if ((await queue.getGlobalRateLimit()) === null) return;
      while (!(await requestPermit(signal)));
    },
    holdFor: (milliseconds) => void queue.rateLimit(Math.ceil(milliseconds)).catch(onError),
    async close() {
      suspensions.stop();
      await worker.close(true);
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
