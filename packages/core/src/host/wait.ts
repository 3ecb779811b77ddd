import type { Clock } from './host.ts';

/**
 * Waits for work, but only until a signal is aborted. What the work returns later is ignored.
 * @throws the reason of the signal
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Runs work. Rejects when it takes longer; a later result is ignored. */
export function withinDeadline<T>(work: () => T | Promise<T>, milliseconds: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(
      () => reject(new Error(`It did not answer within ${milliseconds} ms.`)),
      milliseconds,
    );
    Promise.resolve().then(work).then(resolve, reject).finally(cancel);
  });
}
