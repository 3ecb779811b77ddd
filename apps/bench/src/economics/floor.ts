import { isSystem, type Message } from '@palimpsest/core';
import type { Policy, Simulated } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { benchHost, engines } from '../engines/open-engine.ts';

/**
 * Sends the system prompt and what is new since the last request. Every policy pays at least this: the answers, each
 * message once, and the system prompt each time.
 */
export const forgetsEverything: Policy = {
  name: 'floor: forgets everything',
  rule: 'each prompt is the system prompt, the tools, and what is new since the last request. No policy can cost less: it has to pay for the answers, for each message once, and for the system prompt each time',
  source: null,
  open: () => {
    let seen = 0;
    return {
      prepare: async (history) => {
        const isSent = (message: Message, at: number): boolean => at >= seen || isSystem(message);
        const prompt = history.filter(isSent);
        seen = history.length;
        return { prompt, calls: [], rewrites: 0 };
      },
      answered: () => {},
    };
  },
};

/**
 * The least that a policy can cost that compacts at the default threshold: there it forgets everything, for free. What
 * our engine costs more is what it keeps, and its summaries.
 */
export const forgetsAtThreshold: Policy = {
  name: 'floor at the threshold',
  rule: 'at the default threshold of the compressor, forgets everything but the system prompt, the tools, and what is new since the last request, without a call. No policy that compacts there can cost less',
  source: null,
  open: ({ window, countMessage }: Simulated) => {
    const { thresholdTokens } = engines.compressor(benchHost(createTokenCounter()), window).status();
    let from = 0;
    let seen = 0;
    let promptTokens = 0;
    return {
      prepare: async (history) => {
        const added = history.slice(seen).reduce((tokens, message) => tokens + countMessage(message), 0);
        const isFull = promptTokens + added >= thresholdTokens;
        if (isFull) from = seen;
        seen = history.length;
        const prompt = history.filter((message, at) => at >= from || isSystem(message));
        return { prompt, calls: [], rewrites: isFull ? 1 : 0 };
      },
      answered: (usage) => {
        promptTokens = usage.promptTokens;
      },
    };
  },
};
