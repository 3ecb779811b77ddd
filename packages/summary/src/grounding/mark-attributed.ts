import { withoutListMark } from '@palimpsest/work-record';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';

/** Suffix of a decision that a model attributes to the user, but not in the user's words. */
const mark = " (in the summary's words)";
/** Share of common words from which a statement counts as supported by a message of the user. */
const supported = 0.5;

/** Matches a statement about what the user decided. The record's own lines quote the user and begin differently. */
const attributed: RegExp =
  /^(?:the )?users? (?:has |had |also |then |explicitly ){0,2}(?:decided|chose|chosen|approved|agreed|accepted|confirmed|rejected|declined|refused|wants?|wanted|prefers?|preferred|insists?|insisted|asked|requested|said|selected|picked)\b/i;

/**
 * Marks decisions that a model attributes to the user if no message of the user has most of their words: the model may
 * have invented them, and they must not pass for the user's own.
 */
export function markAttributed({ sections, warnings }: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, said } = truth;
  const index = roles.own('decisions');
  const items = index < 0 ? [] : sectionItems(sectionText(sections, index, template));
  const spoken = said.map(({ text }) => ({ text: normalize(text), words: contentWords(text) }));
  let count = 0;
  const marked = items.map((item) => {
    const statement = withoutListMark(item);
    if (isFenced(item) || statement.endsWith(mark) || !attributed.test(statement)) return item;
    const claim = statement.replace(attributed, '');
    const words = contentWords(claim);
    const isSupported = spoken.some(
      (one) => one.text.includes(normalize(claim)) || overlap(words, one.words) >= supported,
    );
    if (isSupported) return item;
    count++;
    return item + mark;
  });
  if (count === 0) return { sections, warnings };
  const warning = `The summary attributed ${counted(count, 'decision')} to the user in words that are not the user's; marked.`;
  return { sections: withSection(sections, index, marked.join('\n')), warnings: [...warnings, warning] };
}
