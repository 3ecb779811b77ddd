import { isSystem, type Message } from '@palimpsest/core';
import type { Policy, Simulated, SummaryCall } from '@palimpsest/eval/measures';
import { summaryOf } from './stand-in-writer.ts';
import { instructionTokens, tailWithin } from './summarizing.ts';

/** Defaults of Mastra's `OBSERVATIONAL_MEMORY_DEFAULTS`. Tokens. */
const messageTokens = 30_000;
const keptTokens = 0.2 * messageTokens;
const bufferTokens = 0.2 * messageTokens;
const reflectionTokens = 40_000;
/** Its documentation states that observations are five to forty times shorter than tool output, and three to six times than text. */
const compression = 10;

/** Every 30,000 tokens of messages become observations of a small model, which stay in the prompt. */
export const observationalMemory: Policy = {
  name: 'Mastra 1db43de, observational memory',
  rule: 'at 30,000 tokens of messages replaces all but 6,000 by observations a tenth as long, made by Gemini 2.5 Flash 6,000 tokens at a time; at 40,000 tokens of observations halves them',
  source:
    '`packages/memory/src/processors/observational-memory/constants.ts`; the tenfold compression is assumed, from descriptions',
  open: (world) => {
    let system: readonly Message[] = [];
    let messages: readonly Message[] = [];
    let observations: readonly Message[] = [];
    let seen = 0;
    return {
      prepare: async (history) => {
        const added = history.slice(seen);
        seen = history.length;
        system = [...system, ...added.filter(isSystem)];
        messages = [...messages, ...added.filter((message) => !isSystem(message))];
        const calls: SummaryCall[] = [];
        let rewrites = 0;
        if (sum(messages, world) >= messageTokens) {
          const to = tailWithin(messages, keptTokens, world);
          const observed = messages.slice(0, to);
          const tokens = sum(observed, world);
          const outputTokens = Math.round(tokens / compression);
          const text = await summaryOf(observed, null, outputTokens);
          const batches = Math.ceil(tokens / bufferTokens);
          calls.push({
            inputTokens: tokens + batches * (instructionTokens + sum(observations, world)),
            prefixTokens: 0,
            outputTokens,
            bySmallModel: true,
          });
          observations = [...observations, { role: 'user', content: text }];
          messages = messages.slice(to);
          rewrites++;
          const all = sum(observations, world);
          if (all >= reflectionTokens) {
            calls.push({
              inputTokens: all + instructionTokens,
              prefixTokens: 0,
              outputTokens: all / 2,
              bySmallModel: true,
            });
            observations = [{ role: 'user', content: await summaryOf(observations, null, all / 2) }];
          }
        }
        return { prompt: [...system, ...observations, ...messages], calls, rewrites };
      },
      noteAnswer: () => {},
    };
  },
};

const sum = (messages: readonly Message[], { countMessage }: Simulated): number =>
  messages.reduce((tokens, message) => tokens + countMessage(message), 0);
