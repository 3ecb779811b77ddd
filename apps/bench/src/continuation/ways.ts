import type { Message, Summarizer, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type Compact, clearOldestResults, headAndTail, newestTokens } from '@palimpsest/eval/measures';
import { benchHost, engines, type OpenEngine } from '../engines/open-engine.ts';

/** Size of the output: a share of the past's tokens, or `null` for the engine's own choice at its threshold. */
export type Size = number | null;

/** Compresses a past with one of our engines, called as by a user with default options. */
export async function compressWith(
  open: OpenEngine,
  past: readonly Message[],
  size: Size,
  counter: TokenCounter,
  summarizer?: Summarizer,
): Promise<readonly Message[]> {
  const { totalTokens } = Transcript.of(past, counter);
  const window = size === null ? windowFilledBy(totalTokens, open, counter) : 200_000;
  const engine = open(benchHost(counter, summarizer), window);
  const target = size === null ? {} : { targetTokens: Math.floor(totalTokens * size) };
  const { messages } = await engine.compress(past, { force: true, ...target });
  return messages;
}

/** Returns the window, in tokens, in which an engine compresses at this size because its threshold is reached. */
function windowFilledBy(tokens: number, open: OpenEngine, counter: TokenCounter): number {
  const thresholdOf = (window: number): number => open(benchHost(counter), window).status().thresholdTokens;
  let [low, high] = [tokens, tokens * 4];
  if (thresholdOf(low) >= tokens) return low;
  while (high - low > tokens / 100) {
    const middle = (low + high) / 2;
    if (thresholdOf(middle) <= tokens) low = middle;
    else high = middle;
  }
  return Math.round(low);
}

/** Our engines, by name. */
export const ownEngines: Readonly<Record<string, OpenEngine>> = engines;

export const simpleWays: Readonly<Record<string, Compact>> = {
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};
