import type { Proposal } from './proposal.ts';
import type { Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';
import { TextSet } from './text-set.ts';

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
    const proposals: Proposal[] = [];
    const kept = new TextSet();
    for (let at = view.transcript.length - 1; at >= view.policy.from; at--) {
      const length = view.resultLengths[at]!;
      const isOld = at < view.oldEnd;
      if (length < shortest || (isOld && !kept.mayHave(length))) continue;
      const exchange = view.exchange(at)!;
      if (kept.has(exchange)) {
        const proposal = proposeStub(view, at, '; the same output came again later');
        if (proposal !== null) proposals.push(proposal);
      } else if (!isOld) {
        // What is old is stubbed anyway: only a result that stays may be pointed at.
        kept.add(exchange);
      }
    }
    return proposals;
  },
};
