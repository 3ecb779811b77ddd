import { standingRules } from '../work-record/rules/standing-rules.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { type Item, item } from './item.ts';
import type { MaterialRecord } from './material.ts';
import { certainFirst, type ListedRule, readRuleItem, ruleItem } from './rule-item.ts';

/**
 * The user's rules in messages that do not stay, and in the previous summary.
 * @param besidePage true to leave out what only may be a rule: a model's page has it if it is one
 */
export function ruleItems(
  { work, isSummarized }: MaterialRecord,
  earlier: readonly string[],
  besidePage: boolean,
): Item[] {
  // The current task follows the handoff.
  const carried = new Set(work.said.filter((one) => one.carried).map(({ index }) => index));
  const stated = work.rules.filter(({ index }) => isSummarized(index) && !carried.has(index));
  const from = new Map(stated.map(({ text, index }) => [text, [index]]));
  const before = readListedRules(earlier).filter(({ byHost }) => !byHost);
  return certainFirst<ListedRule>([...before, ...stated])
    .filter(({ certain }) => certain || !besidePage)
    .map((rule) => item('-', [ruleItem(rule)], from.get(rule.text)));
}

/** Short instructions of the host in system messages that do not stay, and in the previous summary. */
export function hostItems({ work, isSummarized }: MaterialRecord, earlier: readonly string[]): Item[] {
  const rules = new Map<string, readonly number[]>();
  for (const { text, byHost } of readListedRules(earlier)) if (byHost) rules.set(text, []);
  for (const { text, index } of work.instructions) if (isSummarized(index)) rules.set(text, [index]);
  const isRule = ([text]: readonly [string, unknown]): boolean => standingRules(text).some(({ certain }) => certain);
  // Rules matter more than other instructions, and the newest more than older ones.
  return [...rules]
    .sort((one, other) => Number(isRule(one)) - Number(isRule(other)))
    .map(([text, from]) => item('-', [ruleItem({ text, certain: true, byHost: true })], from));
}

function readListedRules(earlier: readonly string[]): ListedRule[] {
  return earlier.filter((text) => text.startsWith('- ')).map((text) => readRuleItem(withoutListMark(text)));
}
