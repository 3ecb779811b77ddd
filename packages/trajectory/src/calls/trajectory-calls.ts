import { PalimpsestError, type SummarizeResponse, type Summarizer } from '@palimpsest/core';
import type { CallDesk, TrajectoryCalls } from './call-desk.ts';

/** Opens the account of one trajectory at a desk. */
export function openCalls(desk: CallDesk): TrajectoryCalls {
  let [calls, retries, errors, spentMs] = [0, 0, 0, 0];
  const summarizer: Summarizer = {
    id: desk.id,
    contextLength: desk.contextLength,
    async summarize(request) {
      const asked = await desk.ask(request, spentMs);
      calls += asked.calls;
      retries += Math.max(0, asked.calls - 1);
      errors += asked.errors;
      spentMs += asked.spentMs;
      if (!('failure' in asked.answer)) return asked.answer;
      const { failure, reason, status, closedStream } = asked.answer;
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
 * A summarizer that can be asked for the same summary again, to a smaller budget, without another call: what was
 * answered is answered again, in order, and shortened by whoever asked.
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
