import { contentText, isSystem, isToolResult, type Message } from '@palimpsest/core';
import { agentPrices, type Bill, costOf, totalOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { answerTokens, toolsMessage } from './caching-provider.ts';
import { type LongTurn, openingOf, roundOf } from './long-turns.ts';
import type { Writer } from './run-long-turn.ts';

/** Characters of a tool result that the prompt of a summary shows. */
const shownCharacters = 5_500;

/**
 * Dollars that every policy pays in a long turn, at Anthropic's prices: the answers, each message once, and tools and
 * system prompt from the cache in each request.
 */
export function floorOf(turn: LongTurn): number {
  const sizeOf = sizes();
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

/**
 * Dollars of the best policy with at most so many compactions. Each of them keeps only tools, system prompt and the
 * pending exchange, and comes at the best moment. A model reads once what is removed, and its summary is empty.
 */
export function leastOf(turn: LongTurn, writer: Writer, compactions: number): number {
  const sizeOf = sizes();
  const { tools, messages } = openingOf(turn);
  const { rounds, perRound, window } = turn;
  const round = sizeOf(roundOf(0, perRound));
  const { cached, input } = agentPrices.Anthropic;
  const shown = sizeOf(roundOf(0, perRound).map(shortened));
  const perRead = { 'a model': shown * input, 'a model that rides': round * cached, rules: 0 }[writer];
  const longest = Math.floor((window - sizeOf([toolsMessage(tools), ...messages])) / round);
  /** Cost of the requests from one compaction to the next, without what {@link floorOf} has. */
  const stretch = (from: number, to: number): number => {
    // The first request has no round yet; the one after a compaction has the pending one.
    const added = from === 0 ? Math.max(0, to - 1) : to - from;
    if (added > longest) return Number.POSITIVE_INFINITY;
    const reads = (added * (added - 1)) / 2;
    return reads * round * cached + (to < rounds ? added * perRead : 0);
  };
  let best = Array.from({ length: rounds + 1 }, (_, to) => stretch(0, to));
  for (let count = 0; count < compactions; count++)
    best = best.map((cost, to) =>
      Array.from({ length: to }, (_, from) => best[from]! + stretch(from, to)).reduce((a, b) => Math.min(a, b), cost),
    );
  return floorOf(turn) + best[rounds]! / 1e6;
}

const shortened = (message: Message): Message =>
  isToolResult(message) ? { ...message, content: contentText(message.content).slice(0, shownCharacters) } : message;

function sizes(): (messages: readonly Message[]) => number {
  const counter = createTokenCounter();
  return (messages) => messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}
