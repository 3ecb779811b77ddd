import { isToolResult } from '@palimpsest/core';
import { identities } from './identity.ts';
import type { Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';

/** Shorter results are not worth a reference, in characters. */
const shortest = 200;

/**
 * Identical results of 200 characters and more: the newest keeps the full text, each older one becomes its stub and says
 * that the same came again. Works anywhere outside of the exchange under way, as nothing is lost; only a newest copy that
 * stays in full is ever pointed at.
 */
export const dedupe: Strategy = {
  name: 'dedupe',
  *propose(view) {
    const texts = new Map<number, string>();
    const alike = new Map<string, number>();
    for (let at = 0; at < view.transcript.length; at++) {
      if (!isToolResult(view.transcript.messages[at]!)) continue;
      const content = view.current(at)?.content;
      if (typeof content !== 'string' || content.length < shortest) continue;
      texts.set(at, content);
      const sample = sampleOf(content);
      alike.set(sample, (alike.get(sample) ?? 0) + 1);
    }
    const identify = identities();
    const kept = new Set<string | number>();
    for (const [at, text] of [...texts].reverse()) {
      // A text with a sample of its own has no twin, which spares most of them the look at every character.
      if (alike.get(sampleOf(text)) === 1) continue;
      const identity = identify(text);
      if (kept.has(identity)) {
        const proposal = proposeStub(view, at, '; the same output came again later');
        if (proposal) yield proposal;
      } else if (at >= view.oldEnd) {
        // What is old is stubbed anyway: only a result that stays may be pointed at.
        kept.add(identity);
      }
    }
  },
};

/** Equal for equal texts and cheap: the length and a few characters from beginning, middle and end. */
function sampleOf(text: string): string {
  const middle = text.length >> 1;
  return `${text.length} ${text.slice(0, 24)}${text.slice(middle, middle + 24)}${text.slice(-24)}`;
}
