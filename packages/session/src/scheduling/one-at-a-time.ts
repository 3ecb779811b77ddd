import { PalimpsestError } from '@palimpsest/core';
import { orAborted } from '@palimpsest/core/authoring';

/** Runs operations one after the other, in the order in which they were requested. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  get isBusy(): boolean {
    return this.#pending > 0;
  }

  /**
   * @param signal removes a waiting operation; a running one has to check the signal itself
   * @throws {PalimpsestError} `ABORTED`
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw aborted(signal);
    this.#pending++;
    const before = this.#last;
    const result = before.then(() => {
      if (signal?.aborted) throw aborted(signal);
      return work();
    });
    this.#last = result.then(this.#done, this.#done);
    if (signal) await orAborted(before, signal).catch(() => Promise.reject(aborted(signal)));
    return result;
  }

  readonly #done = (): void => {
    this.#pending--;
  };
}

/** The error for an operation whose signal was aborted. */
export function aborted(signal: AbortSignal): PalimpsestError {
  return new PalimpsestError('ABORTED', 'The request was cancelled by its signal.', {}, { cause: signal.reason });
}
