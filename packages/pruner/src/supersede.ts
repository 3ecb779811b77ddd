import { isToolResult } from '@palimpsest/core';
import { Evidence } from './evidence.ts';
import type { Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';

/**
 * Old results that a later one makes stale, and only those of which the transcript proves it: a read of a file that was
 * read again over the same lines, or wholly overwritten; a failed command that was run again; a browser snapshot of
 * which a newer one was taken. The stub says what came later.
 */
export const supersede: Strategy = {
  name: 'supersede',
  *propose(view) {
    const later = new Evidence();
    const stale: [at: number, suffix: string][] = [];
    for (let at = view.transcript.length - 1; at >= 0; at--) {
      if (!isToolResult(view.transcript.messages[at]!)) continue;
      const exchange = view.exchange(at);
      if (!exchange) continue;
      const what = at < view.oldEnd && exchange.text.length > 200 ? later.against(exchange) : null;
      if (what !== null) stale.push([at, `; ${what}`]);
      later.add(exchange);
    }
    for (const [at, suffix] of stale.reverse()) {
      const proposal = proposeStub(view, at, suffix);
      if (proposal) yield proposal;
    }
  },
};
