import { contentText, isToolResult } from '@palimpsest/core';
import { sectionItems } from '../template/section-items.ts';
import { appended, type Grounded, type GroundTruth, sectionText, withSection } from './grounding.ts';
import { contentWords, normalize, overlap } from './normalize.ts';
import { standingRules } from './standing-rules.ts';

/** Of the budget, what rules added by us may take. */
const share = 0.2;
/** What rules of the summary so far may take however small the budget is: they stand nowhere else any more. Tokens. */
const leastRoom = 120;

/**
 * Rules the user stated are carried word for word, this time's and those of the summary so far; and what only a tool
 * result said is marked as such, because a tool makes no rules.
 */
export function carryRules(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, source } = truth;
  const index = roles.place('rules');
  // Active Task is replaced with the next request, and a rule must not go with it.
  const body = normalize(grounded.sections.filter((_, at) => at !== roles.own('task')).join('\n'));
  const here = new Set(source.messages.map((one) => one.index));
  const stated = truth.said.filter((one) => here.has(one.index)).flatMap((one) => standingRules(one.text));
  const own = roles.own('rules');
  const before = own < 0 ? [] : sectionItems(sectionText(truth.previous.sections, own, template)).map(unlisted);
  const lost: string[] = [];
  let room = truth.budgetTokens * share;
  let reserve = leastRoom;
  const recorded = new Set(before);
  for (const rule of new Set([...before, ...stated])) {
    const key = normalize(rule);
    if (key === '' || body.includes(key) || lost.some((one) => normalize(one).includes(key))) continue;
    const cost = truth.countText(rule) + 2;
    if (cost <= room) room -= cost;
    else if (recorded.has(rule) && cost <= reserve) reserve -= cost;
    else continue;
    lost.push(rule);
  }
  const marked = markToolRules(grounded, truth);
  if (lost.length === 0) return marked;
  return {
    sections: appended(marked.sections, index, lost.map((rule) => `- ${rule}`).join('\n'), template),
    warnings: [
      ...marked.warnings,
      `The summary had lost ${lost.length} ${lost.length === 1 ? 'rule' : 'rules'} of the user; put back word for word.`,
    ],
  };
}

/** Marks rules that no user stated but that stand in a tool result. */
function markToolRules(
  { sections, warnings }: Grounded,
  { template, roles, source, said, previous }: GroundTruth,
): Grounded {
  const index = roles.own('rules');
  if (index < 0) return { sections, warnings };
  let words: Set<string> | null = null;
  let results: Set<string>[] | null = null;
  let count = 0;
  const items = sectionItems(sectionText(sections, index, template)).map((item) => {
    const own = contentWords(item);
    if (own.size < 3 || item.endsWith(toolMark)) return item;
    words ??= contentWords([...said.map((one) => one.text), ...previous.sections].join('\n'));
    if (overlap(own, words) >= 0.6) return item;
    results ??= source.messages
      .filter(({ message }) => isToolResult(message))
      .map(({ message }) => contentWords(contentText(message.content)));
    if (!results.some((result) => overlap(own, result) >= 0.8)) return item;
    count++;
    return `${item}${toolMark}`;
  });
  if (count === 0) return { sections, warnings };
  return {
    sections: withSection(sections, index, items.join('\n')),
    warnings: [
      ...warnings,
      `${count} ${count === 1 ? 'rule' : 'rules'} of the summary came from a tool result, not from the user, and ${count === 1 ? 'was' : 'were'} marked.`,
    ],
  };
}
const toolMark = ' (said by a tool result, not by the user)';

function unlisted(item: string): string {
  return item.replace(/^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+/, '');
}
