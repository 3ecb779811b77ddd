import type { CallGate } from '../calls.ts';
import { lastingConnection, type loadBullmq, type QueuePlace, queueNames } from './connect.ts';

/**
 * A limit on calls to a model that all machines share. Before each call, an empty job goes through a queue with a rate
 * limit; the call starts when any worker has completed the job. BullMQ does the counting and waiting.
 */
export interface CallPermits extends CallGate {
  close(): Promise<void>;
}

/** Milliseconds between queries of a job's state. They are needed because a restart of the server can lose its event. */
const pollMs = 10_000;
/** Which finished jobs are kept: at most `age` seconds old, and at most `count` of them. */
const retention = { age: 600, count: 5_000 };
/** Shortest window of a limit in milliseconds. Shorter ones cost the server more than they gain. */
const shortestWindowMs = 100;
const beatMs = 250;
/** Shortest suspension in milliseconds. Shorter gaps are normal for a busy process. */
const shortestSuspensionMs = 2_000;

/**
 * Converts calls per minute to BullMQ's limit per window. The window is as short as is practical, so that calls are
 * spread evenly instead of in one burst at the beginning of each minute.
 */
export function windowLimit(callsPerMinute: number): { readonly max: number; readonly duration: number } {
  // Rounded up, so that no window is shorter than the minimum, and rounding its length costs at most 1 %.
  const max = Math.ceil((callsPerMinute * shortestWindowMs) / 60_000);
  return { max, duration: Math.ceil((max * 60_000) / callsPerMinute) };
}

/**
 * Detects times when this process did not run: it was stopped, its machine slept, or its event loop was blocked. Permits
 * that arrive meanwhile would all be used at once when it continues, which would exceed the limit on calls.
 * @returns whether the process was suspended after a moment of `now`, and a function that ends the watch
 */
export function watchSuspensions(now: () => number = () => performance.now()): {
  happenedSince(moment: number): boolean;
  stop(): void;
} {
  let last = now();
  let end = Number.NEGATIVE_INFINITY;
  const check = (): void => {
    const moment = now();
    if (moment - last > shortestSuspensionMs) end = moment;
    last = moment;
  };
  const timer = setInterval(check, beatMs).unref();
  const happenedSince = (moment: number): boolean => {
    // Messages that arrived meanwhile may be handled before the timer.
    check();
    return end > moment;
  };
  return { happenedSince, stop: () => clearInterval(timer) };
}

export function openCallPermits(
  { Queue, QueueEvents, Worker }: Awaited<ReturnType<typeof loadBullmq>>,
  place: QueuePlace,
  onError: (error: Error) => void,
): CallPermits {
  const { calls: name } = queueNames(place);
  const connection = lastingConnection(place);
  const queue = new Queue(name, { connection });
  const events = new QueueEvents(name, { connection });
  const worker = new Worker(name, () => Promise.resolve(), { connection, concurrency: 50, maxStalledCount: 100 });
  queue.on('error', onError);
  events.on('error', onError);
  worker.on('error', onError);
  // Each waiting call adds a listener to both.
  queue.setMaxListeners(0);
  events.setMaxListeners(0);
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
