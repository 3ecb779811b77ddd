import { PalimpsestError } from '@palimpsest/core';
import { Mutex } from 'async-mutex';

/** Runs operations one after the other, in the order in which they were requested. Adds abort signals to `async-mutex`. */
export class OneAtATime {
  readonly #mutex = new Mutex();

  get isBusy(): boolean {
    return this.#mutex.isLocked();
  }

  /**
   * @param signal removes a waiting operation; a running one has to check the signal itself
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

/** The error for an operation whose signal was aborted. */
export function aborted(signal: AbortSignal): PalimpsestError {
  return new PalimpsestError('ABORTED', 'The request was cancelled by its signal.', {}, { cause: signal.reason });
}

/** Waits for work that does not end by itself when the signal is aborted. @throws {PalimpsestError} `ABORTED` */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const stop = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(aborted(signal)), { once: true });
  });
  return Promise.race([work, stop]);
}

/** Waits for a place in the queue, or rejects when the signal is aborted. A place that comes later is released. */
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
