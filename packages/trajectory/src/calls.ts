import { PalimpsestError, type SummarizeRequest, type SummarizeResponse, type Summarizer } from '@palimpsest/core';
import { classifyError } from '@palimpsest/summary';
import { bulkhead, DelegateBackoff, handleWhen, retry, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { ResolvedSettings } from './options.ts';

/** The summarizer of one trajectory, and its calls to the model, including retries. */
export interface TrajectoryCalls {
  readonly summarizer: Summarizer;
  readonly account: { readonly calls: number; readonly retries: number; readonly errors: number };
  /** From now on, gives the earlier answers again, in order, so that a summary can be shortened without another call. */
  rewind(): void;
}

/** Called after each request, with the error of a failed one. */
export type OnSettled = (error?: unknown) => void;

/** Failures that a retry may fix. */
const retryable: ReadonlySet<string> = new Set(['transient', 'network', 'bad-output']);
/** Longest delay before a retry, unless the provider asks for a longer one. */
const maxDelayMs = 30_000;

/**
 * Returns the delay before a retry in milliseconds. It doubles with each attempt, and half of it is random, so that
 * calls that failed together are not retried together. It is never shorter than the provider's `Retry-After`.
 * @param attempt 1 before the first retry
 */
export function retryDelay(attempt: number, firstMs: number, retryAfterMs: number): number {
  const step = Math.min(firstMs * 2 ** (attempt - 1), maxDelayMs);
  return retryAfterMs > 0 ? retryAfterMs + step * Math.random() * 0.5 : step * (0.5 + Math.random() * 0.5);
}

/** Returns a function that opens the calls of one trajectory. All of them share the limit on concurrent calls. */
export function limitCalls(
  model: Summarizer,
  limits: ResolvedSettings,
  onSettled: OnSettled = () => {},
): () => TrajectoryCalls {
  const slots = bulkhead(limits.concurrency, Number.POSITIVE_INFINITY);
  return () => {
    const account = { calls: 0, retries: 0, errors: 0, spentMs: 0 };
    const answers: SummarizeResponse[] = [];
    let next = 0;
    const summarizer: Summarizer = {
      id: model.id,
      contextLength: model.contextLength,
      async summarize(request) {
        const known = answers[next++];
        if (known) return known;
        const answer = await slots.execute(() => askWithRetries(model, request, account, { ...limits, onSettled }));
        answers.push(answer);
        return answer;
      },
    };
    const rewind = (): void => {
      next = 0;
    };
    return { summarizer, account, rewind };
  };
}

/**
 * Makes one request with its retries, within the time left for its trajectory. Its caller does not wait for it after the
 * signal is aborted.
 */
async function askWithRetries(
  model: Summarizer,
  request: SummarizeRequest,
  account: { calls: number; retries: number; errors: number; spentMs: number },
  { onSettled, ...limits }: ResolvedSettings & { readonly onSettled: OnSettled },
): Promise<SummarizeResponse> {
  const { signal } = request;
  let [attempt, delay] = [0, 0];
  const call = async (): Promise<SummarizeResponse> => {
    signal?.throwIfAborted();
    const timeoutMs = Math.max(1, Math.min(limits.callTimeoutMs, limits.timeoutMs - account.spentMs));
    const started = performance.now();
    account.calls++;
    if (attempt > 0) account.retries++;
    try {
      return await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(
        (context) => model.summarize({ ...request, signal: context.signal }),
        signal,
      );
    } catch (error) {
      account.errors++;
      throw error instanceof TaskCancelledError && !signal?.aborted ? tooSlow(timeoutMs) : error;
    } finally {
      account.spentMs += performance.now() - started;
    }
  };
  const shouldRetry = (error: Error): boolean => {
    const failure = classifyError(error);
    delay = retryDelay(++attempt, limits.retryDelayMs, failure.retryAfterMs);
    return retryable.has(failure.class) && delay < limits.timeoutMs - account.spentMs && !signal?.aborted;
  };
  const backoff = new DelegateBackoff(() => {
    account.spentMs += delay;
    return delay;
  });
  const policy = retry(handleWhen(shouldRetry), { maxAttempts: limits.retries, backoff });
  try {
    const answer = await policy.execute(call);
    onSettled();
    return answer;
  } catch (error) {
    if (!signal?.aborted) onSettled(error);
    throw error;
  }
}

function tooSlow(milliseconds: number): PalimpsestError {
  const reason = `no answer within ${Math.round(milliseconds / 100) / 10} s`;
  return new PalimpsestError('SUMMARIZER_FAILED', `The summarizer gave ${reason}.`, { class: 'transient', reason });
}
