import { isToolResult } from '@palimpsest/core';
import { Evidence } from './evidence.ts';
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
      const exchange = isToolResult(view.transcript.messages[at]!) ? view.exchange(at) : null;
      if (!exchange) continue;
      const what = at < view.oldEnd && exchange.text.length > 200 ? later.against(exchange) : null;
      const proposal = what === null ? null : proposeStub(view, at, `; ${what}`);
      if (proposal) proposals.push(proposal);
      later.add(exchange);
    }
    return proposals.reverse();
  },
};
