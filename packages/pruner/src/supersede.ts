import { Evidence } from './evidence.ts';
import { readFact } from './fact.ts';
import type { Proposal } from './proposal.ts';
import type { Strategy } from './strategy.ts';
import { proposeStub, stub } from './stub.ts';

/**
 * Old results that a later one makes stale, and only those of which the transcript proves it: a read of a file that was
 * read again over the same lines, or wholly overwritten; a failed command that was run again; a browser snapshot of
 * which a newer one was taken. The stub says what came later.
 */
export const supersede: Strategy = {
  name: 'supersede',
  propose(view) {
    const later = new Evidence();
    const proposals: Proposal[] = [];
    const stubsFollow = view.policy.strategies.includes(stub);
    for (let at = view.transcript.length - 1; at >= view.policy.from; at--) {
      const exchange = view.exchange(at);
      if (!exchange) continue;
      const isOld = at < view.oldEnd;
      const wasRead = exchange.fact !== undefined;
      if (exchange.fact === undefined) exchange.fact = readFact(exchange);
      const { fact } = exchange;
      const stale = fact === null ? null : later.add(fact);
      const what = isOld && exchange.length > 200 ? stale : null;
      const proposal = what === null ? null : proposeStub(view, at, `; ${what}`);
      if (proposal !== null) proposals.push(proposal);
      // Remembered for the strategy that will ask for it: now the result is at hand, and need not be read again, nor all
      // that was read of all results be kept until then.
      else if (what === null && isOld && !wasRead && stubsFollow) proposeStub(view, at);
    }
    return proposals.reverse();
  },
};
