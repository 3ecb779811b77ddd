import { PalimpsestError } from '@palimpsest/core';
import { Mutex } from 'async-mutex';

/** Runs the operations of a session one after the other, in the order in which they were asked for. */
export class OneAtATime {
  readonly #mutex = new Mutex();

  get busy(): boolean {
    return this.#mutex.isLocked();
  }

  /**
   * @param signal takes an operation out of the line; one that runs has to look at it itself
   * @throws {PalimpsestError} `ABORTED`
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw aborted(signal);
    const place = this.#mutex.acquire();
    const release = await (signal ? orAborted(place, signal) : place);
    try {
      if (signal?.aborted) throw aborted(signal);
      return await work();
    } finally {
      release();
    }
  }
}

/** What is rejected with when a caller's signal fires. */
export function aborted(signal: AbortSignal): PalimpsestError {
  return new PalimpsestError('ABORTED', 'The request was cancelled by its signal.', {}, { cause: signal.reason });
}

function orAborted(place: Promise<() => void>, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let left = false;
    const leave = (): void => {
      left = true;
      reject(aborted(signal));
    };
    signal.addEventListener('abort', leave, { once: true });
    void place.then((release) => {
      signal.removeEventListener('abort', leave);
      if (left) release();
      else resolve(release);
    });
  });
}
