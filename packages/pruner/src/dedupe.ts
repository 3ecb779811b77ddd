import { isToolResult } from '@palimpsest/core';
import { identities } from './identity.ts';
import type { Proposal, Strategy } from './strategy.ts';
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
  propose(view) {
    const { messages } = view.transcript;
    const candidates: { readonly at: number; readonly text: string; readonly sample: number }[] = [];
    const alike = new Map<number, number>();
    for (let at = 0; at < messages.length; at++) {
      const text = isToolResult(messages[at]!) ? view.current(at)?.content : null;
      if (typeof text !== 'string' || text.length < shortest) continue;
      const sample = sampleOf(text);
      candidates.push({ at, text, sample });
      alike.set(sample, (alike.get(sample) ?? 0) + 1);
    }
    const proposals: Proposal[] = [];
    const identify = identities();
    const kept = new Set<string | number>();
    for (const { at, text, sample } of candidates.reverse()) {
      // A text with a sample of its own has no twin, which spares most of them the look at every character.
      if (alike.get(sample) === 1) continue;
      const identity = identify(text);
      if (kept.has(identity)) {
        const proposal = proposeStub(view, at, '; the same output came again later');
        if (proposal) proposals.push(proposal);
      } else if (at >= view.oldEnd) {
        // What is old is stubbed anyway: only a result that stays may be pointed at.
        kept.add(identity);
      }
    }
    return proposals;
  },
};

/** Equal for equal texts, and cheap: made of the length and a few characters all over the text. */
function sampleOf(text: string): number {
  const step = Math.floor(text.length / 24);
  let sample = text.length;
  for (let at = step >> 1; at < text.length; at += step) sample = Math.imul(sample, 31) + text.charCodeAt(at);
  return sample | 0;
}
