import { readToolName } from '@palimpsest/agents';
import type { Message } from '@palimpsest/core';
import { nameMatcher } from '../policy/name-matcher.ts';
import { protectedTools } from '../policy/protected-tools.ts';
import { type Appended, type CutOptions, cutResult } from './cut-result.ts';

/** Options of {@link pruneOnAppend}. */
export interface AppendPolicy extends CutOptions {
  /** Results with more tokens are cut to about this many. @default 10_000 */
  readonly maximum?: number | undefined;
  /** Name of the tool that was called, if the message does not state it. Protected tools are left alone. */
  readonly tool?: string | undefined;
  /** Names or globs of tools whose results are never cut. @default {@link protectedTools} */
  readonly protectTools?: readonly string[] | undefined;
}

/**
 * Cuts an oversized tool result before it is first sent, so that no cached prefix is invalidated later. Keeps the
 * beginning and the end, cut at line breaks, and states between them how much is missing. Messages that are not tool
 * results are returned unchanged.
 */
export function pruneOnAppend<M extends Message>(message: M, policy: AppendPolicy = {}): Appended<M> {
  const name = policy.tool ?? message.name;
  if (name && nameMatcher(policy.protectTools ?? protectedTools)(readToolName(name)))
    return { message, original: null };
  return cutResult(message, policy.maximum ?? 10_000, policy);
}
