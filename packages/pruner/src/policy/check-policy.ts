import {
  amountRule,
  checkOptions,
  choiceRule,
  countRule,
  describeType,
  functionRule,
  groupRule,
  hostRules,
  isRecord,
  listRule,
  methodsRule,
  type OptionRule,
  type OptionRules,
  type RulesOf,
  switchRule,
  textRule,
} from '@palimpsest/core/authoring';
import type { PrunePolicy } from './policy.ts';

/** Names or globs of tools. */
export const namesRule: OptionRule = listRule(textRule, 'a list of tool names or globs');

const protection = '{ tokens } of tool output or { transcript, messages, maxTokens }';

/** One of the two forms of a protection. */
function isProtection(value: unknown): boolean {
  return isRecord(value) && (value.tokens === undefined) !== (value.transcript === undefined);
}

const protect: OptionRules = { tokens: amountRule, transcript: amountRule, messages: countRule, maxTokens: amountRule };
const strategy = methodsRule('a strategy such as dedupe, not its name', 'propose');
const tool: OptionRule = {
  expected: 'a tool, such as defineTool({ match, class })',
  isValid: (item) => isRecord(item) && 'match' in item && 'class' in item,
};

/** A rule for each option. The compiler rejects a list that is not complete. */
const rules: RulesOf<PrunePolicy> = {
  protect: { expected: protection, isValid: isProtection, describe: describeProtection, fields: protect },
  minimum: amountRule,
  targetTokens: amountRule,
  from: countRule,
  keepTurns: countRule,
  stepsForTurns: switchRule,
  adaptive: groupRule({ contextLength: { ...amountRule, isRequired: true } }, '{ contextLength } in tokens'),
  protectTools: namesRule,
  redact: functionRule,
  strategies: listRule(strategy, 'a list of strategies, such as [dedupe, stub]'),
  tools: listRule(tool, 'a list of tools, such as [defineTool({ match, class })]'),
  placeholder: choiceRule(['stub', 'plain']),
  gate: functionRule,
  reader: hostRules.reader,
  isFromPerson: hostRules.isFromPerson,
  tokens: hostRules.tokens,
};

function describeProtection(value: unknown): string {
  if (!isRecord(value)) return describeType(value);
  return value.tokens === undefined ? 'neither' : 'both';
}

/**
 * Checks the types of all options and rejects those that are not known.
 * @param owner the function that takes the policy, for the error message
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems
 */
export function checkPolicy(owner: string, policy: PrunePolicy): void {
  checkOptions(owner, policy, rules, 'a policy, such as { protect: { tokens: 40_000 } }');
}
