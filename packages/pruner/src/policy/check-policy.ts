import {
  amountRule,
  checkOptions,
  countRule,
  functionRule,
  groupRule,
  isRecord,
  methodsRule,
  type OptionRule,
  type OptionRules,
  shownType,
  switchRule,
} from '@palimpsest/core/authoring';
import type { PrunePolicy } from './policy.ts';

/** A list of items of one kind. An error shows the first item that is not. */
function listRule(expected: string, isItem: (item: unknown) => boolean): OptionRule {
  return {
    expected,
    isValid: (value) => Array.isArray(value) && value.every(isItem),
    shown(value) {
      const wrong: unknown = Array.isArray(value) ? value.find((item) => !isItem(item)) : value;
      return typeof wrong === 'string' ? JSON.stringify(wrong.slice(0, 40)) : shownType(wrong);
    },
  };
}

/** Names or globs of tools. */
export const namesRule: OptionRule = listRule('a list of tool names or globs', (item) => typeof item === 'string');

const protection = '{ tokens } of tool output or { transcript, messages, most }';

/** One of the two forms of a protection. */
function isProtection(value: unknown): boolean {
  return isRecord(value) && (value.tokens === undefined) !== (value.transcript === undefined);
}

const protect: OptionRules = { tokens: amountRule, transcript: amountRule, messages: countRule, most: amountRule };
const strategies = 'a list of strategies, such as [dedupe, stub], not their names';
const tools = 'a list of tools, such as [defineTool({ match, class })]';

/** A rule for each option. The compiler rejects a list that is not complete. */
const rules: { readonly [Name in keyof PrunePolicy]-?: OptionRule } = {
  protect: { expected: protection, isValid: isProtection, shown: shownProtection, fields: protect },
  minimum: amountRule,
  targetTokens: amountRule,
  from: countRule,
  keepTurns: countRule,
  stepsForTurns: switchRule,
  adaptive: groupRule({ contextLength: { ...amountRule, isRequired: true } }, '{ contextLength } in tokens'),
  protectTools: namesRule,
  redact: functionRule,
  strategies: listRule(strategies, (item) => isRecord(item) && typeof item.propose === 'function'),
  tools: listRule(tools, (item) => isRecord(item) && 'match' in item && 'class' in item),
  placeholder: { expected: "'stub' or 'plain'", isValid: (value) => value === 'stub' || value === 'plain' },
  gate: functionRule,
  reader: { expected: 'a reader, such as agentReader', isValid: isRecord },
  isFromPerson: functionRule,
  tokens: methodsRule('a token counter, such as createTokenCounter()', 'countMessage'),
};

function shownProtection(value: unknown): string {
  if (!isRecord(value)) return shownType(value);
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
