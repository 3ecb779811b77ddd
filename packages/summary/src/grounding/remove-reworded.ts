import { sectionItems } from '../template/section-items.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { previousRules } from './previous-rules.ts';
import { readRuleItem } from './rule-item.ts';

/** Share of common words from which two texts count as being about the same thing. */
const same = 0.5;

/**
 * Removes a model's paraphrases of the user's rules, because a reworded rule may say the opposite. The next step restores the
 * user's own words.
 */
export function removeReworded({ sections, warnings }: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, stated } = truth;
  const index = roles.own('rules');
  const items = index < 0 ? [] : sectionItems(sectionText(sections, index, template));
  const rules = [...stated, ...previousRules(truth)].map(({ text }) => ({
    text: normalize(text),
    words: contentWords(text),
  }));
  const isReworded = (item: string): boolean => {
    const { text, bySummary } = readRuleItem(withoutListMark(item));
    if (!bySummary) return false;
    const own = normalize(text);
    const words = contentWords(text);
    return rules.some(
      (rule) => !own.includes(rule.text) && (overlap(words, rule.words) >= same || overlap(rule.words, words) >= same),
    );
  };
  const kept = items.filter((item) => !isReworded(item));
  const count = items.length - kept.length;
  if (count === 0) return { sections, warnings };
  const warning = `The summary reworded ${counted(count, 'statement')} of the user; the user's own words were restored.`;
  return { sections: withSection(sections, index, kept.join('\n')), warnings: [...warnings, warning] };
}
