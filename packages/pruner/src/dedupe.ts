import { isToolResult } from '@palimpsest/core';
import { knownAt } from './memory.ts';
import type { Proposal, PruneView, Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';
import { type SampledText, TextSet } from './text-set.ts';

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
    const proposals: Proposal[] = [];
    const kept = new TextSet();
    for (let at = messages.length - 1; at >= view.policy.from; at--) {
      const text = isToolResult(messages[at]!) ? textAt(view, at) : null;
      if (text === null || text.length < shortest) continue;
      if (kept.has(text)) {
        const proposal = proposeStub(view, at, '; the same output came again later');
        if (proposal) proposals.push(proposal);
      } else if (at >= view.oldEnd) {
        // What is old is stubbed anyway: only a result that stays may be pointed at.
        kept.add(text);
      }
    }
    return proposals;
  },
};

/** A result that is one text, with what is known of it. */
function textAt(view: PruneView, at: number): SampledText | null {
  const content = view.current(at)?.content;
  const known = knownAt(view, at);
  if (known && Object.is(known.text, content)) return known;
  return typeof content === 'string'
    ? { text: content, length: content.length, sample: undefined, twin: undefined }
    : null;
}
