import type { Clock } from '@palimpsest/core';

/** Resolves with the result of `work`. Rejects when it takes longer; a later result is ignored. */
export function withinDeadline<T>(work: () => T | Promise<T>, milliseconds: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(() => reject(new Error(`it did not answer within ${milliseconds} ms`)), milliseconds);
    Promise.resolve().then(work).then(resolve, reject).finally(cancel);
  });
}
