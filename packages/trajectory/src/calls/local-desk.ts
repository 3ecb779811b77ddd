import { type Clock, PalimpsestError, type SummarizeRequest, type Summarizer } from '@palimpsest/core';
import { classifyError } from '@palimpsest/summary';
import { bulkhead, DelegateBackoff, handleWhen, retry, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { ResolvedSettings } from '../trajectory-options.ts';
import type { Asked, CallDesk, CallFailure } from './call-desk.ts';
import type { CallGate } from './call-gate.ts';
import { retryDelay } from './retry-delay.ts';

export type CallLimits = Pick<
  ResolvedSettings,
  'concurrency' | 'retries' | 'retryDelayMs' | 'callTimeoutMs' | 'timeoutMs'
>;

export interface LocalDeskOptions {
  readonly clock: Clock;
  /** Holds calls back, and hears of providers that ask to wait. */
  readonly gate?: CallGate | undefined;
  /** In [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Hears how each request ended; `null` when it was answered. */
  readonly onSettled?: ((failure: CallFailure | null) => void) | undefined;
}

/** Failures that another try may heal. */
const heals: ReadonlySet<string> = new Set(['transient', 'network', 'bad-output']);

/** Makes the calls: so many at a time, each bounded in time and tried again with growing, random waits. */
export function createLocalDesk(summarizer: Summarizer, limits: CallLimits, options: LocalDeskOptions): CallDesk {
  const slots = bulkhead(limits.concurrency, Number.POSITIVE_INFINITY);
  return {
    id: summarizer.id,
    contextLength: summarizer.contextLength,
    async ask(request, spentMs) {
      const asked = await slots.execute(() => settle(summarizer, request, spentMs, limits, options));
      if (!request.signal?.aborted) options.onSettled?.('failure' in asked.answer ? asked.answer : null);
      return asked;
    },
  };
}

/** One request with its tries; never rejects. */
async function settle(
  summarizer: Summarizer,
  request: SummarizeRequest,
  spentBefore: number,
  limits: CallLimits,
  { clock, gate, random = Math.random }: LocalDeskOptions,
): Promise<Asked> {
  const { signal } = request;
  let [calls, errors, spentMs, attempt, delay] = [0, 0, 0, 0, 0];
  const remaining = (): number => limits.timeoutMs - spentBefore - spentMs;

  const call = async (): Promise<Asked['answer']> => {
    if (signal?.aborted) throw cancelled;
    await gate?.pass(signal);
    const most = Math.max(1, Math.min(limits.callTimeoutMs, remaining()));
    const started = clock.now();
    calls++;
    try {
      return await timeout(most, TimeoutStrategy.Aggressive).execute(
        (context) => summarizer.summarize({ ...request, signal: context.signal }),
        signal,
      );
    } catch (error) {
      errors++;
      throw error instanceof TaskCancelledError && !signal?.aborted ? tooSlow(most) : error;
    } finally {
      spentMs += clock.now() - started;
    }
  };

  const mayHeal = (error: Error): boolean => {
    const failure = classifyError(error);
    delay = retryDelay(++attempt, limits.retryDelayMs, failure.retryAfterMs, random());
    if (failure.retryAfterMs > 0) gate?.holdFor(failure.retryAfterMs);
    return heals.has(failure.class) && delay < remaining() && !signal?.aborted;
  };
  const backoff = new DelegateBackoff(() => {
    spentMs += delay;
    return delay;
  });
  const tries = retry(handleWhen(mayHeal), { maxAttempts: limits.retries, backoff });
  const answer = await untilAborted(tries.execute(call), signal).catch((error: unknown): CallFailure => {
    const { class: failure, reason, status, closedStream } = classifyError(signal?.aborted ? cancelled : error);
    return { failure, reason, status, closedStream };
  });
  return { answer, calls, errors, spentMs };
}

/** The work, or a rejection as soon as nobody waits for it any more. */
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
