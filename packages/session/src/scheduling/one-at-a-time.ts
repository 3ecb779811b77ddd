import { PalimpsestError } from '@palimpsest/core';
import { orAborted } from '@palimpsest/core/authoring';
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
    if (signal?.aborted) throw abortError(signal);
    const place = this.#mutex.acquire();
    const release = await (signal ? orAborted(place, signal).catch(() => leave(place, signal)) : place);
    try {
      if (signal?.aborted) throw abortError(signal);
      return await work();
    } finally {
      release();
    }
  }
}

/** The error for an operation whose signal was aborted. */
export function abortError(signal: AbortSignal): PalimpsestError {
  return new PalimpsestError('ABORTED', 'The request was cancelled by its signal.', {}, { cause: signal.reason });
}

/** Releases a place that comes after its signal was aborted. @throws {PalimpsestError} `ABORTED` */
function leave(place: Promise<() => void>, signal: AbortSignal): never {
  void place.then((release) => release());
  throw abortError(signal);
}
