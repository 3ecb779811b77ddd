import { PalimpsestError } from '@palimpsest/core';
import type { CallFailure } from '../calls/call-pool.ts';

/** Number of consecutive failures that ends a run. Further calls would probably fail too, and cost as much. */
const maxStreak = 20;
/** Failures that a retry cannot fix. Before the first success, one of them ends the run. */
const permanent: ReadonlySet<string> = new Set(['access', 'missing-model']);

/** Ends a run whose summarizer keeps failing. */
export class FailureStreak {
  #length = 0;
  #hasSucceeded = false;
  readonly #end: (reason: PalimpsestError) => void;

  constructor(end: (reason: PalimpsestError) => void) {
    this.#end = end;
  }

  /** Records the outcome of a call; `null` is a success. */
  settled(failure: CallFailure | null): void {
    if (failure === null) {
      this.#length = 0;
      this.#hasSucceeded = true;
      return;
    }
    this.#length++;
    const isPermanent = permanent.has(failure.failure) && !this.#hasSucceeded;
    if (!isPermanent && this.#length < maxStreak) return;
    const many = isPermanent ? '' : ` ${this.#length} times in a row`;
    this.#end(
      new PalimpsestError(
        'SUMMARIZER_FAILED',
        `The summarizer failed${many}: ${failure.failure} (${failure.reason}). Finished rows are kept. Resume the run when the summarizer works again.`,
        { class: failure.failure, status: failure.status ?? null },
      ),
    );
  }
}
