import { PalimpsestError, type SummarizeResponse, type Summarizer } from '@palimpsest/core';
import type { CallPool, TrajectoryCalls } from './call-pool.ts';

/** Creates the summarizer of one trajectory, which makes its calls in the pool and counts them. */
export function openCalls(callPool: CallPool): TrajectoryCalls {
  let [calls, retries, errors, spentMs] = [0, 0, 0, 0];
  const summarizer: Summarizer = {
    id: callPool.id,
    contextLength: callPool.contextLength,
    async summarize(request) {
      const result = await callPool.ask(request, spentMs);
      calls += result.calls;
      retries += Math.max(0, result.calls - 1);
      errors += result.errors;
      spentMs += result.spentMs;
      if (!('failure' in result.answer)) return result.answer;
      const { failure, reason, status, closedStream } = result.answer;
      throw new PalimpsestError('SUMMARIZER_FAILED', `The summarizer failed: ${failure}.`, {
        class: failure,
        reason,
        status: status ?? null,
        closedStream: closedStream ?? false,
      });
    },
  };
  return {
    summarizer,
    get calls() {
      return calls;
    },
    get retries() {
      return retries;
    },
    get errors() {
      return errors;
    },
  };
}

/**
 * Wraps a summarizer so that a summary can be written again with a smaller budget, without another call. After
 * `rewind`, it returns the same answers in the same order, and the caller shortens them.
 */
export function replaying(summarizer: Summarizer): Summarizer & { rewind(): void } {
  const answers: SummarizeResponse[] = [];
  let next = 0;
  return {
    ...summarizer,
    async summarize(request) {
      const known = answers[next++];
      if (known) return known;
      const answer = await summarizer.summarize(request);
      answers.push(answer);
      return answer;
    },
    rewind() {
      next = 0;
    },
  };
}
