import { PalimpsestError } from '@palimpsest/core';
import type { CallFailure } from '../calls/call-desk.ts';

/** Failures without a success between them that end a run: what is left would only fail, too, at the same price. */
const longestStreak = 20;
/** Failures that do not heal by themselves. With them, and before anything succeeded, the first one is enough. */
const lasting: ReadonlySet<string> = new Set(['access', 'missing-model']);

/** Watches how requests end, and ends a run whose summarizer does not work. */
export class FailureStreak {
  #length = 0;
  #hasSucceeded = false;
  readonly #end: (reason: PalimpsestError) => void;

  constructor(end: (reason: PalimpsestError) => void) {
    this.#end = end;
  }

  settled(failure: CallFailure | null): void {
    if (failure === null) {
      this.#length = 0;
      this.#hasSucceeded = true;
      return;
    }
    this.#length++;
    const isHopeless = lasting.has(failure.failure) && !this.#hasSucceeded;
    if (!isHopeless && this.#length < longestStreak) return;
    const many = isHopeless ? '' : ` ${this.#length} times in a row`;
    this.#end(
      new PalimpsestError(
        'SUMMARIZER_FAILED',
        `The summarizer failed${many}: ${failure.failure} (${failure.reason}). What is done is kept; resume when it works again.`,
        { class: failure.failure, status: failure.status ?? null },
      ),
    );
  }
}
