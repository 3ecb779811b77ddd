import type { Message } from '@palimpsest/core';
import { readToolName } from '@palimpsest/core/tools';
import { type Appended, type CutOptions, cutResult } from './cut-result.ts';
import { nameMatcher } from './name-matcher.ts';
import { protectedTools } from './policy.ts';

export interface AppendPolicy extends CutOptions {
  /** Results over this many tokens are shrunk to about as many. @default 10_000 */
  readonly maximum?: number | undefined;
  /** The tool that was called, where the message itself does not name it: protected tools are left alone. */
  readonly tool?: string | undefined;
  /** @default the policy's default: {@link protectedTools} */
  readonly protectTools?: readonly string[] | undefined;
}

/**
 * Shrinks an oversized tool result before it is first sent, so that no cached prefix ever breaks. Keeps the beginning and
 * the end, cut at line breaks, and says between them how much is missing. Anything but a tool result comes back as it is.
 */
export function pruneOnAppend<M extends Message>(message: M, policy: AppendPolicy = {}): Appended<M> {
  const name = policy.tool ?? message.name;
  if (name && nameMatcher(policy.protectTools ?? protectedTools)(readToolName(name)))
    return { message, original: null };
  return cutResult(message, policy.maximum ?? 10_000, policy);
}
