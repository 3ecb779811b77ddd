import { readToolName } from '@palimpsest/agents';
import type { Message } from '@palimpsest/core';
import {
  amountRule,
  checkOptions,
  functionRule,
  methodsRule,
  type RulesOf,
  textRule,
} from '@palimpsest/core/authoring';
import { namesRule } from '../policy/check-policy.ts';
import { nameMatcher } from '../policy/name-matcher.ts';
import { protectedTools } from '../policy/protected-tools.ts';
import { type Appended, type CutOptions, cutResult } from './cut-result.ts';

/** Options of {@link pruneOnAppend}. */
export interface AppendPolicy extends CutOptions {
  /** Maximum tokens of a result; longer ones are cut to about this size. @default 10_000 */
  readonly maximum?: number | undefined;
  /** Name of the called tool, if the message does not state it. Used to recognize protected tools. */
  readonly tool?: string | undefined;
  /** Names or globs of tools whose results are never cut. @default {@link protectedTools} */
  readonly protectTools?: readonly string[] | undefined;
}

const rules: RulesOf<AppendPolicy> = {
  maximum: amountRule,
  tool: { ...textRule, expected: "a tool's name" },
  protectTools: namesRule,
  redact: functionRule,
  tokens: methodsRule('a token counter, such as createTokenCounter()', 'countText'),
};

/**
 * Cuts an oversized tool result before it is first sent, so that no cached prefix is invalidated later. Keeps the
 * beginning and the end, cut at line breaks, with a note between them on how much is missing. Returns other messages
 * unchanged.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function pruneOnAppend<M extends Message>(message: M, policy: AppendPolicy = {}): Appended<M> {
  checkOptions('pruneOnAppend', policy, rules, 'a policy, such as { maximum: 10_000 }');
  const name = policy.tool ?? message.name;
  if (name && nameMatcher(policy.protectTools ?? protectedTools)(readToolName(name)))
    return { message, original: null };
  return cutResult(message, policy.maximum ?? 10_000, policy);
}
