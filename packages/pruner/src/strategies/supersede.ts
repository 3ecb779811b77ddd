import { proposeStub } from '../stub/propose-stub.ts';
import { maxShortLength } from '../stub/short-length.ts';
import { readFactOnce } from '../view/result-memo.ts';
import type { Proposal, Strategy } from '../view/strategy.ts';
import { Evidence } from './evidence.ts';
import { readFact } from './fact.ts';

/**
 * Stubs old results that a later result makes stale: a file read whose lines were read again or whose file was
 * overwritten as a whole, a failed command that ran again, a browser snapshot before a newer one. The stub states the
 * reason.
 */
export const supersede: Strategy = {
  name: 'supersede',
  propose(view) {
    const later = new Evidence();
    const proposals: Proposal[] = [];
    for (let at = view.transcript.length - 1; at >= view.policy.from; at--) {
      const exchange = view.exchange(at);
      const fact = exchange && readFactOnce(view, at, exchange, readFact);
      const reason = fact && later.add(fact);
      if (!reason || at >= view.oldEnd || exchange.text.length <= maxShortLength) continue;
      const proposal = proposeStub(view, at, `; ${reason}`);
      if (proposal) proposals.push(proposal);
    }
    return proposals.reverse();
  },
};
