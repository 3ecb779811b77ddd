import { checksum } from '@palimpsest/core/authoring';
import { proposeStub } from '../stub/propose-stub.ts';
import type { Proposal, PruneView, Strategy } from '../view/strategy.ts';

/** Minimum length of a result to deduplicate, in characters. */
const minLength = 200;

/**
 * Stubs old results that occur again in full and unchanged in the protected part. The stub states that the output is
 * repeated later.
 */
export const dedupe: Strategy = {
  name: 'dedupe',
  propose(view) {
    const proposals: Proposal[] = [];
    const lengths = new Set<number>();
    const protectedTexts = new Map<string, string>();
    for (let at = view.transcript.length - 1; at >= view.policy.from; at--) {
      const text = resultText(view, at);
      if (text === null || text.length < minLength) continue;
      // Only texts of a protected length are read.
      if (lengths.has(text.length) && protectedTexts.get(checksum(text)) === text) {
        const proposal = proposeStub(view, at, '; the same output came again later');
        if (proposal) proposals.push(proposal);
      } else if (at >= view.oldEnd) {
        lengths.add(text.length);
        protectedTexts.set(checksum(text), text);
      }
    }
    return proposals;
  },
};

/** The text of a result whose content is one string; `null` for other messages. */
function resultText(view: PruneView, at: number): string | null {
  const exchange = view.exchange(at);
  return exchange && typeof view.current(at)?.content === 'string' ? exchange.text : null;
}
