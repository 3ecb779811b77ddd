import type { Message, TokenCounter } from '@palimpsest/core';
import { type Compact, type Cut, engineTarget, type Search } from '@palimpsest/eval/measures';
import { createRecall } from '@palimpsest/recall';
import { benchHost, engines } from '../engines/open-engine.ts';

/** Hides a part of a past, and finds it again. */
export type Retrieval = (
  cut: Cut,
  targetTokens: number,
  counter: TokenCounter,
) => Promise<{ readonly kept: readonly Message[]; readonly search: Search }>;

/** Largest answer of one query. Tokens. */
export const largestAnswer = 2000;

/** The compressor and recall. */
export const ourRetrieval: Retrieval = async (cut, targetTokens, counter) => {
  const result = await engines
    .compressor(benchHost(counter), 200_000)
    .compress(cut.past, { targetTokens: engineTarget(cut.past, targetTokens, counter), force: true });
  const recall = createRecall({ sessionId: cut.name, redact: (text) => text, maxTokens: largestAnswer });
  recall.update(cut.past, result);
  return {
    kept: result.messages as readonly Message[],
    search: async (names) => [await recall.callTool('recall', { query: names.join(' ') })],
  };
};

/** Retrieval with a peer. */
export const peerRetrieval =
  (keep: Compact, search: Search, missing: Map<string, string>, name: string): Retrieval =>
  async (cut, targetTokens, counter) => ({
    kept: await keep(cut.past, targetTokens, counter),
    search: peerSearch(search, missing, name, counter),
  });

/**
 * Limits the answers of a peer's search to {@link largestAnswer}. If the peer fails, its name goes into `missing`, and it
 * finds nothing.
 */
export const peerSearch =
  (search: Search, missing: Map<string, string>, name: string, counter: TokenCounter): Search =>
  async (names) => {
    if (missing.has(name)) return [];
    try {
      return sharing(await search(names), largestAnswer, counter);
    } catch (error) {
      missing.set(name, error instanceof Error ? error.message : String(error));
      return [];
    }
  };

/** Cuts texts that have more than their share of tokens. What a short one leaves free goes to those behind it. */
function sharing(texts: readonly string[], tokens: number, counter: TokenCounter): string[] {
  let free = tokens;
  return texts.map((text, at) => {
    const share = Math.floor(free / (texts.length - at));
    let shown = text;
    let size = counter.countText(shown);
    while (size > share) {
      shown = shown.slice(0, Math.floor(Math.min((shown.length * share) / size, shown.length * 0.98)));
      size = counter.countText(shown);
    }
    free -= size;
    return shown;
  });
}
