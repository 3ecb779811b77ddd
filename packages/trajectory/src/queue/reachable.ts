import { PalimpsestError } from '@palimpsest/core';
import type { Queue } from 'bullmq';
import { type QueuePlace, shownRedis } from './queue-place.ts';

/**
 * Does something with queues and closes them again.
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` when the server is not there
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
      `The queue at ${shown} cannot be reached (${reason}).`,
      { redis: shown, reason },
      { cause },
    );
  } finally {
    await Promise.allSettled(queues.map((queue) => queue.close()));
  }
}
