import { isToolResult } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import type { PrunePolicy } from './policy/policy.ts';
import { resolvePolicy } from './policy/resolve-policy.ts';
import { tokensAfter } from './strategies/excerpt-candidate.ts';
import { proposeStub } from './stub/propose-stub.ts';
import { openView } from './view/open-view.ts';

/**
 * Returns the tokens of each message of a draft if every old result were a stub: the minimum that `excerpts` can reach.
 * @returns by message index
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function minPrunedTokens(draft: Draft, policy?: PrunePolicy): Float64Array {
  const view = openView(draft, resolvePolicy('minPrunedTokens', policy));
  return Float64Array.from(draft.transcript.messages, (message, at) => {
    const tokens = view.tokens(at);
    const stub = at < view.oldEnd && isToolResult(message) ? proposeStub(view, at) : null;
    return stub ? Math.min(tokens, tokensAfter(view, stub)) : tokens;
  });
}
