import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type CachePrices, cacheAware, type PrunePolicy, prune } from '@palimpsest/pruner';

/** When a simulated agent prunes: never, whenever anything can be pruned, over a size, or when the gate agrees. */
export type Habit = 'never' | 'every turn' | 'threshold' | 'gated';

export interface SimulationOptions {
  readonly prices: CachePrices;
  readonly counter: TokenCounter;
  readonly policy: PrunePolicy;
  /** The prompt size that makes the `threshold` habit prune, in tokens. */
  readonly thresholdTokens: number;
  /** Requests the gate is told to expect, by how many were made and how many really follow, the next one included. @default what really follows */
  readonly expect?: ((made: number, following: number) => number) | undefined;
}

export interface Simulation {
  /** Cost of all prompts, in prices of one uncached input token. Answers cost the same under every habit and are left out. */
  readonly cost: number;
  readonly prunes: number;
  readonly requests: number;
}

/**
 * Replays a transcript request by request: each assistant message was asked for with everything before it, as the
 * habit had left it. What equals the prompt before, message by message from the start, is read from the cache; the rest
 * is written. Every habit uses the same policy, and what is pruned once stays pruned.
 */
export function simulate(messages: readonly Message[], habit: Habit, options: SimulationOptions): Simulation {
  const { prices, counter, policy, expect = (_made, following) => following } = options;
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
        const expectedTurns = expect(requests, total - requests + 1);
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

/** Tokens of the messages both prompts begin with. */
function countCommon(before: readonly Message[], now: readonly Message[], counter: TokenCounter): number {
  let tokens = 0;
  for (let at = 0; at < before.length && before[at] === now[at]; at++) tokens += counter.countMessage(now[at]!);
  return tokens;
}
