import { PalimpsestError } from '@palimpsest/core';
import { classifyError } from '@palimpsest/summary';

/**
 * What a summarizer rejects with. The provider's own error is not kept as `cause`: its text may quote the conversation
 * or a key, and errors end up in logs. What decides about retries is in `details`.
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
