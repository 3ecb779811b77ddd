import { contentText, isSystem, type Message } from '@palimpsest/core';
import { oneLine } from '@palimpsest/salience';
import { unlisted } from '../source/sentences.ts';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { appended, type Grounded, type GroundTruth, sectionText, withSection } from './grounding.ts';
import { contentWords, normalize, overlap } from './normalize.ts';
import { leastRuleRoom } from './rule-room.ts';
import { standingRules } from './standing-rules.ts';
import { type ListedRule, readRuleItem, ruleItem } from './stated-rules.ts';

/** Longest system message that is listed verbatim; longer ones are summarized. Characters. */
const longest = 600;
/** Share of the budget that host instructions may take. */
const share = 0.2;
/** Share of common words from which an item counts as a repetition of a system message. */
const repeats = 0.8;

/**
 * Lists the instructions of folded system messages verbatim, oldest first. A repeated one is listed once, at its last
 * position. Messages too long to list are left to the summary.
 */
export function hostInstructions(messages: readonly Message[]): ListedRule[] {
  const texts = new Set<string>();
  for (const message of messages) {
    const text = isSystem(message) ? contentText(message.content).trim() : '';
    if (text === '' || text.length > longest) continue;
    const line = oneLine(text);
    // A repeated message moves to its last position.
    texts.delete(line);
    texts.add(line);
  }
  return [...texts].map((text) => ({ text, sure: true, byHost: true }));
}

/**
 * Selects the instructions that fit the budget: those that state a rule first, then the others, newest first. Takes and
 * returns them oldest first.
 */
export function instructionsWithin(
  instructions: readonly ListedRule[],
  budgetTokens: number,
  countText: (text: string) => number,
): ListedRule[] {
  let room = Math.max(2 * leastRuleRoom, budgetTokens * share);
  const newest = [...new Map(instructions.map((one) => [one.text, one])).values()].reverse();
  const isRule = ({ text }: ListedRule): boolean => standingRules(text).some(({ sure }) => sure);
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
 * the host. Removes items that a model attributed to the host, and system messages listed as the user's rules.
 */
export function carryInstructions(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, source, previous, said } = truth;
  const own = roles.own('rules');
  const before = own < 0 ? [] : listedIn(sectionText(previous.sections, own, template));
  const systems = source.messages.flatMap(({ message }) => (isSystem(message) ? [message] : []));
  const known = [...before, ...hostInstructions(systems)];
  let { sections } = grounded;
  if (own >= 0) {
    const spoken = [...systems.map(({ content }) => contentText(content)), ...before.map(({ text }) => text)];
    const byHost = spoken.map(contentWords);
    const user = contentWords(said.map(({ text }) => text).join('\n'));
    const isHosts = (item: string): boolean => {
      if (isFenced(item)) return false;
      const rule = readRuleItem(unlisted(item));
      if (rule.byHost) return true;
      if (rule.byTool) return false;
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
    .map((item) => readRuleItem(unlisted(item)))
    .filter(({ byHost }) => byHost);
}
