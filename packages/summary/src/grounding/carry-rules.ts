import { type StandingRule, statedRules, withoutListMark } from '@palimpsest/work-record';
import { isFenced, plainItems, sectionItems } from '../template/section-items.ts';
import { toolStatements } from './authorship.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { appended, counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { certainFirst, readRuleItem, ruleItem } from './rule-item.ts';
import { leastRuleRoom, rulesWithin } from './rules-within.ts';

/** Share of the budget for restored rules, per origin. */
const share = 0.2;

/**
 * Restores rules of the user that the summary lost, verbatim: those stated in this transcript and those of the previous
 * summary. Marks items that only a tool result states, because tools cannot set rules.
 */
export function carryRules(given: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, source, countText, budgetTokens } = truth;
  const grounded = withoutReworded(given, truth);
  const index = roles.place('rules');
  // Only this section is never shortened, so a rule in another one may still get lost.
  const kept = normalize(grounded.sections[index] ?? '');
  const within = (rules: readonly StandingRule[], room: number): readonly StandingRule[] =>
    rulesWithin(
      rules.filter(({ text }) => {
        const key = normalize(text);
        return key !== '' && !kept.includes(key);
      }),
      room,
      countText,
    );
  const carriedAt = new Map(source.messages.map((one) => [one.index, one.carried]));
  const statedIn = (carried: boolean): StandingRule[] =>
    truth.said
      .filter((words) => carriedAt.get(words.index) === carried)
      .flatMap((words) => statedRules(words, truth.transcript.messages));
  const shared = budgetTokens * share;
  // Each origin has room of its own, so new rules cannot displace old ones, which exist nowhere else.
  const lost = certainFirst([
    ...within(previousRules(truth), Math.max(2 * leastRuleRoom, shared)),
    ...within(statedIn(false), Math.max(leastRuleRoom, shared)),
    // The current request stays in the transcript, so its rules may be left out.
    ...within(statedIn(true), shared),
  ]);
  const marked = markToolRules(grounded, truth);
  if (lost.length === 0) return marked;
  return {
    sections: appended(marked.sections, index, lost.map((rule) => `- ${ruleItem(rule)}`).join('\n'), template),
    warnings: [
      ...marked.warnings,
      `The summary had lost ${counted(lost.length, 'rule')} of the user; restored verbatim.`,
    ],
  };
}

/** Two texts with this share of common words are about the same thing. */
const same = 0.5;

/**
 * Removes what a model made of a statement of the user in its own words, in the section of rules and among the decisions
 * it attributes to the user: a reworded rule may say the opposite. The user's own words are restored for it.
 */
function withoutReworded({ sections, warnings }: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, said } = truth;
  const rules = once(() =>
    [...said.flatMap((words) => statedRules(words, truth.transcript.messages)), ...previousRules(truth)].map(
      ({ text }) => ({ text: normalize(text), words: contentWords(text) }),
    ),
  );
  const spoken = once(() => said.map(({ text }) => normalize(text)));
  const isReworded = (item: string): boolean => {
    const { text, byHost, byTool } = readRuleItem(withoutListMark(item));
    const own = normalize(text);
    if (isFenced(item) || byHost || byTool || own === '' || spoken().some((message) => message.includes(own)))
      return false;
    const words = contentWords(text);
    return rules().some(
      (rule) =>
        !rule.text.includes(own) &&
        !own.includes(rule.text) &&
        (overlap(words, rule.words) >= same || overlap(rule.words, words) >= same),
    );
  };
  let reworded = 0;
  let current: readonly string[] = sections;
  for (const role of ['rules', 'decisions'] as const) {
    const index = roles.own(role);
    if (index < 0) continue;
    const items = sectionItems(sectionText(current, index, template));
    const kept = items.filter((item) => (role === 'decisions' && !/\buser\b/i.test(item)) || !isReworded(item));
    if (kept.length === items.length) continue;
    reworded += items.length - kept.length;
    current = withSection(current, index, kept.join('\n'));
  }
  if (reworded === 0) return { sections, warnings };
  return {
    sections: current,
    warnings: [
      ...warnings,
      `${counted(reworded, 'statement')} of the user had been reworded; the user's own words stand in the summary.`,
    ],
  };
}

/** Calls a function when its value is first needed. */
function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: read() }).value;
}

/** The user's rules in the previous summary. */
function previousRules({ roles, previous, template }: GroundTruth): StandingRule[] {
  const own = roles.own('rules');
  if (own < 0) return [];
  return plainItems(sectionText(previous.sections, own, template))
    .map((item) => readRuleItem(withoutListMark(item)))
    .filter(({ byTool, byHost }) => !byTool && !byHost);
}

/** Marks items in the sections of user words that come from a tool result and that no user stated. */
function markToolRules(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles } = truth;
  let { sections } = grounded;
  let count = 0;
  for (const index of [roles.own('rules'), roles.own('asks')]) {
    if (index < 0) continue;
    const items = sectionItems(sectionText(sections, index, template));
    const plain = items.flatMap((item, at) => {
      const rule = readRuleItem(withoutListMark(item));
      return isFenced(item) || rule.byHost ? [] : [{ at, rule }];
    });
    const byTool = toolStatements(
      plain.map(({ rule }) => rule.text),
      truth,
    );
    plain.forEach(({ at, rule }, position) => {
      if (!byTool[position] && !rule.byTool) return;
      if (!rule.byTool) count++;
      items[at] = `- ${ruleItem({ ...rule, byTool: true })}`;
    });
    sections = withSection(sections, index, items.join('\n'));
  }
  if (count === 0) return { ...grounded, sections };
  return {
    sections,
    warnings: [
      ...grounded.warnings,
      `${counted(count, 'rule')} of the summary came from a tool result, not from the user; marked.`,
    ],
  };
}
