import { PalimpsestError } from '@palimpsest/core';
import type { Queue } from 'bullmq';
import { type QueuePlace, shownRedis } from './queue-place.ts';

/**
 * Runs an operation on queues, and closes them afterwards.
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server does not answer
 */
export async function reachable<Result>(
  place: QueuePlace,
  use: (connect: <AQueue extends Queue>(queue: AQueue) => AQueue) => Promise<Result>,
): Promise<Result> {
  const queues: Queue[] = [];
  let lost: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    lost = reject;
  });
  failed.catch(() => undefined);
  try {
    const work = use((queue) => {
      queue.on('error', lost);
      queues.push(queue);
      return queue;
    });
    work.catch(() => undefined);
    return await Promise.race([work, failed]);
  } catch (cause) {
    if (PalimpsestError.is(cause)) throw cause;
    const shown = shownRedis(place);
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw new PalimpsestError(
      'QUEUE_UNREACHABLE',
      `The queue at ${shown} cannot be reached (${reason}). Check the address and whether the server is running.`,
      { redis: shown, reason },
      { cause },
    );
  } finally {
    await Promise.allSettled(queues.map((queue) => queue.close()));
  }
}
