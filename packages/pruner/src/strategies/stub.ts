import { proposeStub } from '../stub/propose-stub.ts';
import type { Proposal, Strategy } from '../view/strategy.ts';

/** Replaces old results over 200 characters with one line: what ran, on what, how it ended, how large the result was. */
export const stub: Strategy = {
  name: 'stub',
  propose(view) {
    const proposals: Proposal[] = [];
    for (let at = view.policy.from; at < view.oldEnd; at++) {
      const proposal = proposeStub(view, at);
      if (proposal) proposals.push(proposal);
    }
    return proposals;
  },
};
