import { PalimpsestError } from '@palimpsest/core';
import { classifyError } from '../model/summary-failure.ts';

/**
 * Converts any failure of a call to the error that a summarizer rejects with. The provider's error is not kept as
 * `cause`, because its text may quote the conversation or a key, and errors are logged. `details` has what a retry needs.
 */
export function callFailure(id: string, error: unknown, signal: AbortSignal | undefined): PalimpsestError {
  if (signal?.aborted) return new PalimpsestError('ABORTED', `The call of ${id} was cancelled.`);
  if (PalimpsestError.is(error)) return error;
  const failure = classifyError(error);
  return new PalimpsestError(
    'SUMMARIZER_FAILED',
    `The summarizer ${id} failed: ${failure.class} (${failure.reason}).`,
    {
      class: failure.class,
      reason: failure.reason,
      status: failure.status ?? null,
      closedStream: failure.closedStream,
      retryAfterMs: failure.retryAfterMs,
    },
  );
}
