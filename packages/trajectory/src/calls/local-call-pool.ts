import { type Clock, PalimpsestError, type SummarizeRequest, type Summarizer } from '@palimpsest/core';
import { classifyError } from '@palimpsest/summary';
import { bulkhead, DelegateBackoff, handleWhen, retry, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { ResolvedSettings } from '../trajectory-options.ts';
import type { CallGate } from './call-gate.ts';
import type { CallFailure, CallPool, CallResult } from './call-pool.ts';
import { retryDelay } from './retry-delay.ts';

/** The settings that limit calls. */
export type CallLimits = Pick<
  ResolvedSettings,
  'concurrency' | 'retries' | 'retryDelayMs' | 'callTimeoutMs' | 'timeoutMs'
>;

/** Options of {@link createLocalCallPool}. */
export interface LocalCallPoolOptions {
  readonly clock: Clock;
  /** A limit shared with other processes. Each call passes it. It is notified when a provider asks to wait. */
  readonly gate?: CallGate | undefined;
  /** Returns a number in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Called after each request, with its failure or `null`. */
  readonly onSettled?: ((failure: CallFailure | null) => void) | undefined;
}

/** Failures that a retry may fix. */
const retryable: ReadonlySet<string> = new Set(['transient', 'network', 'bad-output']);

/** Creates a call pool that makes its calls in this thread, with timeouts and with growing, randomized retry delays. */
export function createLocalCallPool(
  summarizer: Summarizer,
  limits: CallLimits,
  options: LocalCallPoolOptions,
): CallPool {
  const slots = bulkhead(limits.concurrency, Number.POSITIVE_INFINITY);
  return {
    id: summarizer.id,
    contextLength: summarizer.contextLength,
    async ask(request, spentMs) {
      const result = await slots.execute(() => runRequest(summarizer, request, spentMs, limits, options));
      if (!request.signal?.aborted) options.onSettled?.('failure' in result.answer ? result.answer : null);
      return result;
    },
  };
}

/** Makes one request with its retries. Never rejects. */
async function runRequest(
  summarizer: Summarizer,
  request: SummarizeRequest,
  spentBefore: number,
  limits: CallLimits,
  { clock, gate, random = Math.random }: LocalCallPoolOptions,
): Promise<CallResult> {
  const { signal } = request;
  let [calls, errors, spentMs, attempt, delay] = [0, 0, 0, 0, 0];
  const remaining = (): number => limits.timeoutMs - spentBefore - spentMs;

  const call = async (): Promise<CallResult['answer']> => {
    if (signal?.aborted) throw cancelled;
    await gate?.pass(signal);
    const timeoutMs = Math.max(1, Math.min(limits.callTimeoutMs, remaining()));
    const started = clock.now();
    calls++;
    try {
      return await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(
        (context) => summarizer.summarize({ ...request, signal: context.signal }),
        signal,
      );
    } catch (error) {
      errors++;
      throw error instanceof TaskCancelledError && !signal?.aborted ? tooSlow(timeoutMs) : error;
    } finally {
      spentMs += clock.now() - started;
    }
  };

  const shouldRetry = (error: Error): boolean => {
    const failure = classifyError(error);
    delay = retryDelay(++attempt, limits.retryDelayMs, failure.retryAfterMs, random());
    if (failure.retryAfterMs > 0) gate?.holdFor(failure.retryAfterMs);
    return retryable.has(failure.class) && delay < remaining() && !signal?.aborted;
  };
  const backoff = new DelegateBackoff(() => {
    spentMs += delay;
    return delay;
  });
  const policy = retry(handleWhen(shouldRetry), { maxAttempts: limits.retries, backoff });
  const answer = await untilAborted(policy.execute(call), signal).catch((error: unknown): CallFailure => {
    const { class: failure, reason, status, closedStream } = classifyError(signal?.aborted ? cancelled : error);
    return { failure, reason, status, closedStream };
  });
  return { answer, calls, errors, spentMs };
}

/** Waits for the work, but rejects as soon as the signal is aborted. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

const cancelled = new PalimpsestError('ABORTED', 'The summary was cancelled.', {
  class: 'cancelled',
  reason: 'the caller cancelled',
});

function tooSlow(milliseconds: number): PalimpsestError {
  const reason = `no answer within ${Math.round(milliseconds / 100) / 10} s`;
  return new PalimpsestError('SUMMARIZER_FAILED', `The summarizer gave ${reason}.`, { class: 'transient', reason });
}
