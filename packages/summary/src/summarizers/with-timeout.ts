import { PalimpsestError } from '@palimpsest/core';

/**
 * Makes a call that is cancelled after a time. Without a time, the engine's own limit applies.
 * @throws {PalimpsestError} `SUMMARIZER_FAILED` of class `transient` when the time is over, even if the call ignores its signal
 */
export async function withTimeout<Result>(
  id: string,
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (timeoutMs === undefined) return call(signal);
  const controller = new AbortController();
  const cancel = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = `no answer within ${timeoutMs} ms`;
      const details = { class: 'transient', reason };
      reject(new PalimpsestError('SUMMARIZER_FAILED', `The summarizer ${id} failed: ${reason}.`, details));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(controller.signal), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
