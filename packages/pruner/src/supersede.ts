import { Evidence, readFact } from './evidence.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';

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
    for (let at = view.transcript.length - 1; at >= view.policy.from; at--) {
      const exchange = view.exchange(at);
      if (!exchange) continue;
      if (exchange.fact === undefined) exchange.fact = readFact(exchange);
      const { fact } = exchange;
      if (fact === null) continue;
      const what = at < view.oldEnd && exchange.length > 200 ? later.against(fact) : null;
      const proposal = what === null ? null : proposeStub(view, at, `; ${what}`);
      if (proposal) proposals.push(proposal);
      later.add(fact);
    }
    return proposals.reverse();
  },
};
