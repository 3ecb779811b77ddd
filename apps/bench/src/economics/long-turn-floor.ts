import { isSystem, type Message } from '@palimpsest/core';
import { type Bill, costOf, totalOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { answerTokens, toolsMessage } from './caching-provider.ts';
import { type LongTurn, openingOf, roundOf } from './long-turns.ts';

/**
 * Dollars that every policy pays in a long turn, at Anthropic's prices: the answers, each message once, and tools and
 * system prompt from the cache in each request.
 */
export function floorOf(turn: LongTurn): number {
  const counter = createTokenCounter();
  const sizeOf = (messages: readonly Message[]): number =>
    messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const { tools, messages } = openingOf(turn);
  const first = [toolsMessage(tools), ...messages];
  const bills = Array.from(
    { length: turn.rounds },
    (_, round): Bill => ({
      cachedTokens: round === 0 ? 0 : sizeOf(first.filter(isSystem)),
      writtenTokens: sizeOf(round === 0 ? first : roundOf(round - 1, turn.perRound)),
      outputTokens: answerTokens,
      calls: [],
    }),
  );
  return totalOf(costOf({ bills }, 'Anthropic'));
}
