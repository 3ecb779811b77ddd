import type { TokenCounter } from '@palimpsest/core';
import type { Search } from '@palimpsest/eval/measures';

/** Largest answer of one query in tokens, the same as for our own recall. */
const maxAnswerTokens = 2000;

/**
 * Limits the answers of a peer's search to {@link maxAnswerTokens}. If the peer fails, its name goes into `missing`, and it
 * finds nothing.
 */
export const peerSearch =
  (search: Search, missing: Map<string, string>, name: string, counter: TokenCounter): Search =>
  async (names) => {
    if (missing.has(name)) return [];
    try {
      return sharing(await search(names), maxAnswerTokens, counter);
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
