import { withoutListMark } from '@palimpsest/work-record';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { previousRules } from './previous-rules.ts';
import { readRuleItem } from './rule-item.ts';

/** Share of common words from which two texts count as being about the same thing. */
const same = 0.5;

/**
 * Removes a model's paraphrases of the user's statements from the section of rules and from decisions attributed to the
 * user, because a reworded rule may say the opposite. The next step restores the user's own words.
 */
export function removeReworded({ sections, warnings }: Grounded, truth: GroundTruth): Grounded {
  const { template, roles } = truth;
  const lists = (['rules', 'decisions'] as const).flatMap((role) => {
    const index = roles.own(role);
    const items = index < 0 ? [] : sectionItems(sectionText(sections, index, template));
    return items.length === 0 ? [] : [{ role, index, items }];
  });
  if (lists.length === 0) return { sections, warnings };
  const isReworded = rewordedReader(truth);
  let count = 0;
  let current = sections;
  for (const { role, index, items } of lists) {
    const kept = items.filter((item) => (role === 'decisions' && !/\buser\b/i.test(item)) || !isReworded(item));
    count += items.length - kept.length;
    current = withSection(current, index, kept.join('\n'));
  }
  if (count === 0) return { sections, warnings };
  const warning = `The summary reworded ${counted(count, 'statement')} of the user; the user's own words were restored.`;
  return { sections: current, warnings: [...warnings, warning] };
}

/** Returns a test for items that are about a rule of the user, but not in the user's words. */
function rewordedReader(truth: GroundTruth): (item: string) => boolean {
  const { said, stated } = truth;
  const spoken = said.map(({ text }) => normalize(text));
  const rules = [...stated, ...previousRules(truth)].map(({ text }) => ({
    text: normalize(text),
    words: contentWords(text),
  }));
  return (item) => {
    const { text, byHost, byTool } = readRuleItem(withoutListMark(item));
    const own = normalize(text);
    if (isFenced(item) || byHost || byTool || own === '' || spoken.some((message) => message.includes(own)))
      return false;
    const words = contentWords(text);
    return rules.some(
      (rule) =>
        !rule.text.includes(own) &&
        !own.includes(rule.text) &&
        (overlap(words, rule.words) >= same || overlap(rule.words, words) >= same),
    );
  };
}
