import { excerptGap } from '@palimpsest/pruner/salience';
import { formatExcerpts } from '../template/excerpts.ts';
import { normalize } from './compare-words.ts';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** Maximum share of the budget. */
const share = 0.2;

/** Quotes the lines to which an open request refers, if the summary does not have them. */
export function quoteReferred(grounded: Grounded, truth: GroundTruth): Grounded {
  const { record, roles, template, budgetTokens, countText } = truth;
  const known = normalize(grounded.sections.join('\n'));
  let left = budgetTokens * share;
  const blocks = record.referred.map((block) => {
    const lines = block.lines.filter((line) => {
      if (line === excerptGap || known.includes(normalize(line))) return false;
      left -= countText(line) + 1;
      return left >= 0;
    });
    return { ...block, lines };
  });
  const quoted = blocks.filter(({ lines }) => lines.length > 0);
  if (quoted.length === 0) return grounded;
  return {
    ...grounded,
    sections: appended(grounded.sections, roles.place('context'), formatExcerpts(quoted), template),
  };
}
