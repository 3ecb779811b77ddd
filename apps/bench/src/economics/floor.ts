import { isSystem } from '@palimpsest/core';
import type { Policy, Simulated } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { benchHost, engines } from '../engines/open-engine.ts';

/**
 * Sends the system prompt and what is new since the last request. Every policy pays at least this: the answers, each
 * message once, and the system prompt each time.
 */
export const forgetsEverything: Policy = forgets(
  'floor: forgets everything',
  'each prompt is the system prompt, the tools, and what is new since the last request. No policy can cost less: it has to pay for the answers, for each message once, and for the system prompt each time',
  () => 0,
);

/**
 * The least that a policy can cost that compacts at the default threshold: there it forgets everything, for free. What
 * our engine costs more is what it keeps, and its summaries.
 */
export const forgetsAtThreshold: Policy = forgets(
  'floor at the threshold',
  'at the default threshold of the compressor, forgets everything but the system prompt, the tools, and what is new since the last request, without a call. No policy that compacts there can cost less',
  ({ window }) => engines.compressor(benchHost(createTokenCounter()), window).status().thresholdTokens,
);

function forgets(name: string, rule: string, thresholdIn: (world: Simulated) => number): Policy {
  return {
    name,
    rule,
    source: null,
    open: (world) => {
      const threshold = thresholdIn(world);
      let [from, seen, promptTokens] = [0, 0, 0];
      return {
        prepare: async (history) => {
          const added = history.slice(seen).reduce((tokens, message) => tokens + world.countMessage(message), 0);
          const isFull = promptTokens + added >= threshold;
          if (isFull) from = seen;
          seen = history.length;
          const prompt = history.filter((message, at) => at >= from || isSystem(message));
          return { prompt, calls: [], rewrites: isFull && threshold > 0 ? 1 : 0 };
        },
        noteAnswer: (usage) => {
          promptTokens = usage.promptTokens;
        },
      };
    },
  };
}
