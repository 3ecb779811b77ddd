import type { SummaryLine } from '@palimpsest/core';
import { openRequests } from '../work-record/requests/open-requests.ts';
import { hostInstructions } from '../work-record/rules/host-instructions.ts';
import type { GroundTruth } from './grounded.ts';
import { ruleItem } from './rule-item.ts';

/**
 * Returns the lines of a summary that quote the user or the host: open requests, rules and instructions whose messages
 * the summary replaces. The sources are indices in the transcript.
 */
export function spokenLines({ said, stated, source }: GroundTruth): SummaryLine[] {
  const replaced = new Set(source.messages.map(({ index }) => index));
  const isReplaced = ({ index }: { readonly index: number }): boolean => replaced.has(index);
  const requests = openRequests(said)
    .filter(isReplaced)
    .flatMap(({ index, text }) => text.split(/\r\n?|\n/).map((line) => ({ text: line, from: [index] })));
  const rules = stated.filter(isReplaced).map((rule) => ({ text: `- ${ruleItem(rule)}`, from: [rule.index] }));
  const instructions = hostInstructions(source.shown.messages).map((instruction) => ({
    text: `- ${ruleItem({ ...instruction, certain: true, byHost: true })}`,
    from: [source.messages[instruction.index]!.index],
  }));
  return [...requests, ...rules, ...instructions];
}
