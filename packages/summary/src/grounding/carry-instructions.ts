import { contentText, isSystem } from '@palimpsest/core';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { type HostInstruction, hostInstructions } from '../work-record/rules/host-instructions.ts';
import { standingRules } from '../work-record/rules/standing-rules.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { appended, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { type ListedRule, readRuleItem, ruleItem, withoutSummaryMark } from './rule-item.ts';
import { leastRuleRoom } from './rules-within.ts';

/** Maximum share of the budget for host instructions. */
const share = 0.2;
/** Share of common words from which an item counts as a repetition of a system message. */
const repeats = 0.8;

/** Converts instructions in system messages to items of the section of rules, oldest first. */
export function instructionItems(instructions: readonly HostInstruction[]): ListedRule[] {
  return instructions.map(({ text }) => ({ text, certain: true, byHost: true }));
}

/**
 * Selects the instructions that fit the budget: first those that state a rule, then the others, newest first. Input and
 * result are ordered oldest first.
 */
export function instructionsWithin(
  instructions: readonly ListedRule[],
  budgetTokens: number,
  countText: (text: string) => number,
): ListedRule[] {
  let room = Math.max(2 * leastRuleRoom, budgetTokens * share);
  const newest = [...new Map(instructions.map((one) => [one.text, one])).values()].reverse();
  const isRule = ({ text }: ListedRule): boolean => standingRules(text).some(({ certain }) => certain);
  const fitting = new Set<ListedRule>();
  for (const one of [...newest.filter(isRule), ...newest]) {
    if (fitting.has(one)) continue;
    const cost = countText(ruleItem(one)) + 2;
    if (cost > room) continue;
    room -= cost;
    fitting.add(one);
  }
  return newest.filter((one) => fitting.has(one)).reverse();
}

/**
 * Lists the instructions of folded system messages, from this pass and the previous summary, verbatim and attributed to
 * the host. Removes items that a model attributed to the host, and system messages that it listed as the user's rules.
 */
export function carryInstructions(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, source, previous, said } = truth;
  const own = roles.own('rules');
  const before = own < 0 ? [] : listedIn(sectionText(previous.sections, own, template));
  const systems = source.shown.messages.filter(isSystem);
  const known = [...before, ...instructionItems(hostInstructions(systems))];
  let { sections } = grounded;
  if (own >= 0) {
    const spoken = [...systems.map(({ content }) => contentText(content)), ...before.map(({ text }) => text)];
    const byHost = spoken.map(contentWords);
    const user = byHost.length === 0 ? new Set<string>() : contentWords(said.map(({ text }) => text).join('\n'));
    const isHosts = (item: string): boolean => {
      if (isFenced(item)) return false;
      const rule = readRuleItem(withoutSummaryMark(withoutListMark(item)));
      if (rule.byHost) return true;
      const words = contentWords(rule.text);
      const isWhole = known.some(({ text }) => normalize(text) === normalize(rule.text));
      return isWhole || (overlap(words, user) < repeats && byHost.some((one) => overlap(words, one) >= repeats));
    };
    const items = sectionItems(sectionText(sections, own, template));
    const others = items.filter((item) => !isHosts(item));
    if (others.length < items.length) sections = withSection(sections, own, others.join('\n'));
  }
  const carried = instructionsWithin(known, truth.budgetTokens, truth.countText);
  if (carried.length === 0) return { ...grounded, sections };
  const text = carried.map((rule) => `- ${ruleItem(rule)}`).join('\n');
  return { ...grounded, sections: appended(sections, roles.place('rules'), text, template) };
}

/** The host instructions listed in a section of rules. */
function listedIn(section: string): ListedRule[] {
  return sectionItems(section)
    .filter((item) => !isFenced(item))
    .map((item) => readRuleItem(withoutListMark(item)))
    .filter(({ byHost }) => byHost);
}
