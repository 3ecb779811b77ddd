import { oneLine } from '@palimpsest/pruner/salience';
import type { StandingRule } from '../work-record/rules/standing-rules.ts';

/** Prefix of a user's statement that may be a standing rule, but is not certain enough to be listed as one. */
const mention = 'Mentioned by the user: ';

/** Prefix of an instruction from a system message, which comes from the host and not from the user. */
const hostMark = 'Instructed by the host: ';

/** An entry in the section of rules. */
export interface ListedRule extends StandingRule {
  /** True if a system message states it. */
  readonly byHost?: boolean | undefined;
}

/** Formats a rule for the section of rules, on one line with its mark. {@link readRuleItem} reads it back. */
export function ruleItem({ text, certain, byHost }: ListedRule): string {
  if (byHost) return hostMark + oneLine(text);
  // A user's text that starts with the host mark must not be read as a host instruction.
  return certain && !text.startsWith(hostMark) ? text : mention + text;
}

/** Parses an entry of the section of rules, without its list mark. The inverse of {@link ruleItem}. */
export function readRuleItem(item: string): ListedRule {
  if (item.startsWith(hostMark)) return { text: item.slice(hostMark.length), certain: true, byHost: true };
  return item.startsWith(mention)
    ? { text: item.slice(mention.length), certain: false }
    : { text: item, certain: true };
}

/** Sorts certain rules before likely ones, otherwise keeps the order. Removes repeated texts. */
export function certainFirst<Rule extends StandingRule>(rules: readonly Rule[]): Rule[] {
  const known = new Set<string>();
  return [...rules.filter(({ certain }) => certain), ...rules.filter(({ certain }) => !certain)].filter(({ text }) => {
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}
