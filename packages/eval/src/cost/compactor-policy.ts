import { isSystem, type Message, type TokenCounter } from '@palimpsest/core';
import { type NamedCompactor, runCompactor } from '../evaluate/run-compactor.ts';
import { sizesOf } from '../transcripts/cuts.ts';
import type { Policy } from './policy.ts';

/** The share of the window at which a conversation is compacted, and by how much it grows until it is compacted again. */
const threshold = 0.75;
const growth = 0.05;

/**
 * Compacts a conversation with a compactor as soon as it fills three quarters of the window, to a share of its tokens. Of a
 * larger output, the newest messages that fit are sent.
 */
export function compactorPolicy(
  compactor: NamedCompactor,
  share: number,
  conversation: string,
  counter: TokenCounter,
): Policy {
  return {
    name: compactor.name,
    rule: `compacts at ${threshold * 100} % of the window to ${share * 100} %`,
    source: null,
    open: ({ window, countMessage }) => {
      let system: readonly Message[] = [];
      let context: readonly Message[] = [];
      let seen = 0;
      let tokens = 0;
      let again = 0;
      const sum = (messages: readonly Message[]): number =>
        messages.reduce((total, one) => total + countMessage(one), 0);
      return {
        prepare: async (history) => {
          const added = history.slice(seen);
          seen = history.length;
          system = [...system, ...added.filter(isSystem)];
          context = [...context, ...added.filter((message) => !isSystem(message))];
          tokens += sum(added);
          const isFull = tokens >= Math.max(window * threshold, again);
          if (!isFull) return { prompt: [...system, ...context], calls: [], rewrites: 0 };
          const before = sizesOf(context, counter);
          // The task and the pending tool calls have to fit.
          const budgetTokens = Math.floor(Math.max(before.tokens * share, before.mustTokens * 1.1));
          const { fair, calls } = await runCompactor(compactor, context, budgetTokens, {
            counter,
            transcript: conversation,
          });
          context = fair;
          tokens = sum(system) + sum(context);
          again = tokens + window * growth;
          return {
            prompt: [...system, ...context],
            calls: calls.map((call) => ({ ...call, prefixTokens: 0 })),
            rewrites: 1,
          };
        },
        noteAnswer: () => {},
      };
    },
  };
}

/** A conversation that is never compacted. */
export const neverCompacted: Policy = {
  name: 'no compaction',
  rule: 'nothing is rewritten',
  source: null,
  open: () => ({
    prepare: async (history) => ({ prompt: history, calls: [], rewrites: 0 }),
    noteAnswer: () => {},
  }),
};
