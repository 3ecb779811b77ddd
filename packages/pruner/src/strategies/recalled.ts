import { isRecallTool } from '@palimpsest/agents';
import { proposeStub } from '../stub/propose-stub.ts';
import type { Proposal, Strategy } from '../view/strategy.ts';

/** Number of newest messages to keep, because the agent may be using them. */
const untouched = 3;

/**
 * Stubs results of the recall tools, before all other output and also in the protected part. They repeat text from
 * elsewhere in the conversation and can be requested again.
 */
export const recalled: Strategy = {
  name: 'recalled',
  propose(view) {
    const proposals: Proposal[] = [];
    const end = Math.min(view.transcript.length - untouched, view.turnsStart);
    for (let at = view.policy.from; at < end; at++) {
      if (!isRecallTool(view.exchange(at)?.called ?? '')) continue;
      const proposal = proposeStub(view, at);
      if (proposal) proposals.push(proposal);
    }
    return proposals;
  },
};
