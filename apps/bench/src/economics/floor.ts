import { isSystem, type Message } from '@palimpsest/core';
import type { Policy } from '@palimpsest/eval/measures';

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
