import { OptionCheck, shownType } from '@palimpsest/core/authoring';
import type { PrunePolicy } from './policy.ts';

/** The names of all options. The compiler rejects a list that is not complete. */
const names: Record<keyof PrunePolicy, true> = {
  protect: true,
  minimum: true,
  targetTokens: true,
  from: true,
  keepTurns: true,
  stepsForTurns: true,
  adaptive: true,
  protectTools: true,
  redact: true,
  strategies: true,
  tools: true,
  placeholder: true,
  gate: true,
  reader: true,
  isRequest: true,
  tokens: true,
};
const policyNames: readonly string[] = Object.keys(names);

/**
 * Checks the types of all options and rejects those that are not known. Written by hand, so that the pruner needs no
 * schema library.
 * @param owner the function that takes the policy, for the error message
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems
 */
export function checkPolicy(owner: string, policy: PrunePolicy): void {
  const check = new OptionCheck();
  if (!check.object('', policy, policyNames, 'a policy, such as { protect: { tokens: 40_000 } }')) check.finish(owner);
  checkProtection(check, policy);
  for (const name of ['minimum', 'targetTokens', 'from', 'keepTurns'] as const) checkNumber(check, name, policy[name]);
  const { adaptive, stepsForTurns: steps, placeholder, protectTools, strategies, tools, reader, tokens } = policy;
  if (adaptive !== undefined && check.object('adaptive', adaptive, ['contextLength'], '{ contextLength } in tokens'))
    checkNumber(check, 'adaptive.contextLength', adaptive.contextLength ?? Number.NaN);
  check.expect(isOptional(steps, 'boolean'), 'stepsForTurns', 'true or false', shownType(steps));
  const isPlaceholder = placeholder === undefined || placeholder === 'stub' || placeholder === 'plain';
  check.expect(isPlaceholder, 'placeholder', "'stub' or 'plain'", shownType(placeholder));
  const isText = (name: unknown): boolean => typeof name === 'string';
  checkList(check, 'protectTools', protectTools, isText, 'a list of tool names or globs');
  checkList(
    check,
    'strategies',
    strategies,
    isStrategy,
    'a list of strategies, such as [dedupe, stub], not their names',
  );
  checkList(check, 'tools', tools, isDescriptor, 'a list of tools, such as [defineTool({ match, class })]');
  for (const name of ['redact', 'gate', 'isRequest'] as const)
    check.expect(isOptional(policy[name], 'function'), name, 'a function', shownType(policy[name]));
  check.expect(isOptional(reader, 'object'), 'reader', 'a reader, such as agentReader', shownType(reader));
  const isCounter = tokens === undefined || typeof tokens?.countMessage === 'function';
  check.expect(isCounter, 'tokens', 'a token counter, such as createTokenCounter()', shownType(tokens));
  check.finish(owner);
}

function checkProtection(check: OptionCheck, { protect }: PrunePolicy): void {
  if (protect === undefined) return;
  const form = '{ tokens } of tool output or { transcript, messages, most }';
  if (!check.object('protect', protect, ['tokens', 'transcript', 'messages', 'most'], form)) return;
  const { tokens, transcript } = protect as { readonly tokens?: unknown; readonly transcript?: unknown };
  const isOne = (tokens === undefined) !== (transcript === undefined);
  check.expect(isOne, 'protect', form, tokens === undefined ? 'neither' : 'both');
  for (const [name, value] of Object.entries(protect)) checkNumber(check, `protect.${name}`, value);
}

/** Records a problem unless the value is a finite number of at least 0, or not given. */
export function checkNumber(check: OptionCheck, path: string, value: unknown): void {
  const isValid = value === undefined || (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY);
  check.expect(isValid, path, 'a finite number of at least 0', shownType(value));
}

function checkList(
  check: OptionCheck,
  path: string,
  value: unknown,
  isItem: (item: unknown) => boolean,
  expected: string,
): void {
  if (value === undefined) return;
  const wrong = Array.isArray(value) ? value.find((item) => !isItem(item)) : value;
  const isValid = Array.isArray(value) && value.every(isItem);
  check.expect(
    isValid,
    path,
    expected,
    typeof wrong === 'string' ? JSON.stringify(wrong.slice(0, 40)) : shownType(wrong),
  );
}

function isStrategy(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'propose' in item && typeof item.propose === 'function';
}

function isDescriptor(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'match' in item && 'class' in item;
}

function isOptional(value: unknown, type: 'boolean' | 'function' | 'object'): boolean {
  return value === undefined || (value !== null && typeof value === type);
}
