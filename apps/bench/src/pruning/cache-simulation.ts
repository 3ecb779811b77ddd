import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type CachePrices, cacheAware, type PrunePolicy, prune } from '@palimpsest/pruner';

/** When a simulated agent prunes: never, whenever anything can be pruned, over a prompt size, or when the gate allows it. */
export type Habit = 'never' | 'every turn' | 'threshold' | 'gated';

export interface SimulationOptions {
  readonly prices: CachePrices;
  readonly counter: TokenCounter;
  readonly policy: PrunePolicy;
  /** Prompt size at which the `threshold` habit prunes, in tokens. */
  readonly thresholdTokens: number;
}

export interface Simulation {
  /** Cost of all prompts, in units of one uncached input token. Excludes answers, which cost the same under every habit. */
  readonly cost: number;
  readonly prunes: number;
  readonly requests: number;
}

/**
 * Replays a transcript request by request and computes the cost of its prompts. The prompt of each assistant message is
 * everything before it, as pruned so far. The prefix of messages shared with the previous prompt is read from the cache;
 * the rest is written. Every habit uses the same policy, and pruned content stays pruned.
 */
export function simulate(messages: readonly Message[], habit: Habit, options: SimulationOptions): Simulation {
  const { prices, counter, policy } = options;
  const total = messages.filter((message, index) => message.role === 'assistant' && index > 0).length;
  let sent: readonly Message[] = [];
  let prompt: readonly Message[] = [];
  let [cost, prunes, requests, rearm] = [0, 0, 0, 0];
  messages.forEach((message, index) => {
    if (message.role === 'assistant' && index > 0) {
      requests++;
      const cached = countCommon(sent, prompt, counter);
      const size = Transcript.of(prompt, counter).totalTokens;
      if (habit === 'every turn' || habit === 'gated' || (habit === 'threshold' && size >= options.thresholdTokens)) {
        // The gate knows how many requests follow.
        const expectedTurns = total - requests + 1;
        const gate = cacheAware({ prices, expectedTurns, cached, rearm });
        const own =
          habit === 'every turn' ? { ...policy, minimum: 1 } : habit === 'gated' ? { ...policy, gate } : policy;
        const pruned = prune(prompt, { ...own, tokens: counter });
        if (pruned.report.committed) {
          prunes++;
          rearm = pruned.report.tokensBefore;
          prompt = pruned.messages;
        }
      }
      const read = countCommon(sent, prompt, counter);
      cost += read * prices.cached + (Transcript.of(prompt, counter).totalTokens - read) * prices.written;
      sent = prompt;
    }
    prompt = [...prompt, message];
  });
  return { cost, prunes, requests };
}

/** Counts the tokens of the prefix of messages that two prompts share. */
function countCommon(before: readonly Message[], now: readonly Message[], counter: TokenCounter): number {
  let tokens = 0;
  for (let at = 0; at < before.length && before[at] === now[at]; at++) tokens += counter.countMessage(now[at]!);
  return tokens;
}
