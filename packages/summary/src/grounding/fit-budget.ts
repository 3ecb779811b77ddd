import { excerptGap } from '@palimpsest/pruner/salience';
import { fileOf } from '../record/list-files.ts';
import { formatExcerpts, readExcerptBlock } from '../template/excerpts.ts';
import { formatWithin } from '../template/parse-summary.ts';
import { isFenced, sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';

/**
 * Sections to shorten, in order, each with the maximum share to cut in the first round. Open requests and rules are not
 * cut.
 */
const order: readonly (readonly [SectionRole, share: number])[] = [
  ['context', 0.6],
  ['actions', 0.5],
  ['files', 0.5],
  ['answers', 0.7],
  ['progress', 0.5],
  ['state', 0.5],
  ['blocked', 0.5],
  ['remaining', 0.5],
  ['asks', 0.4],
  ['goal', 0.3],
  ['decisions', 0.3],
];

/** Matches items that later passes need and that are never dropped. */
const needed: RegExp = /^(?:Exact values:|Pinned, word for word:|Instructions that were loaded)/;

/**
 * Shortens a summary to its budget by dropping whole items: first from sections whose content can be looked up again,
 * oldest items first. Text that must be carried verbatim stays, even if it alone exceeds the budget.
 */
export function fitBudget(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, countText, budgetTokens } = truth;
  const isRecord = recordItems(truth);
  const size = (sections: readonly string[]): number =>
    countText(formatWithin(sections, template, budgetTokens, countText));
  let { sections } = grounded;
  let over = size(sections) - budgetTokens;
  if (over <= 0) return grounded;
  let dropped = 0;
  // Token counts of pieces do not add up exactly to that of the whole, so the last round may be repeated.
  for (const round of [0, 1, 2, 3]) {
    for (const [role, share] of order) {
      const index = roles.own(role);
      if (index < 0 || over <= 0) continue;
      const text = sectionText(sections, index, template);
      const shorter = shorten(
        text,
        Math.min(over, round === 0 ? countText(text) * share : Number.POSITIVE_INFINITY),
        role === 'files',
        countText,
        isRecord,
      );
      if (shorter.dropped === 0) continue;
      dropped += shorter.dropped;
      sections = withSection(sections, index, shorter.text);
      over = size(sections) - budgetTokens;
    }
  }
  const warnings = [...grounded.warnings];
  if (dropped > 0)
    warnings.push(
      `The summary was over its budget of ${budgetTokens} tokens; ${counted(dropped, 'entry', 'entries')} left out.`,
    );
  if (over > 0)
    warnings.push(`The text that has to be carried verbatim is ${over} tokens over the budget of ${budgetTokens}.`);
  return { sections, warnings };
}

/** Returns a test for items of the record, which are already shortened to their room. */
function recordItems({ record }: GroundTruth): (item: string) => boolean {
  const lines = new Set([...record.items.values()].flat());
  const paths = new Set([...lines].flatMap((line) => fileOf(withoutListMark(line)) ?? []));
  return (item) => lines.has(item) || paths.has(fileOf(withoutListMark(item)) ?? '');
}

/** Drops items until the wanted number of tokens is saved. */
function shorten(
  text: string,
  wanted: number,
  fromEnd: boolean,
  countText: (text: string) => number,
  isRecord: (item: string) => boolean,
): { text: string; dropped: number } {
  const items = sectionItems(text);
  if (fromEnd) items.reverse();
  const left: string[] = [];
  let saved = 0;
  let dropped = 0;
  items.forEach((item, at) => {
    const pinned = needed.test(item) || needed.test(items[at - 1] ?? '') || isRecord(item);
    if (saved >= wanted || pinned) {
      left.push(item);
      return;
    }
    const cost = countText(item) + 1;
    const shorter = cost > wanted - saved && isFenced(item) ? shortenQuotation(item, wanted - saved, countText) : null;
    if (shorter !== null) {
      left.push(shorter);
      saved += cost - countText(shorter) - 1;
      dropped++;
      return;
    }
    saved += cost;
    dropped++;
  });
  if (fromEnd) left.reverse();
  return { text: left.join('\n'), dropped };
}

/**
 * Drops the oldest content of a fenced block. In a block of excerpts, drops whole excerpts, then the first lines of the
 * next one, so that the rest keeps its source; in any other block, drops lines. Returns `null` if nothing would be
 * left.
 */
function shortenQuotation(item: string, wanted: number, countText: (text: string) => number): string | null {
  const excerpts = readExcerptBlock(item);
  const lineCost = (line: string): number => countText(line) + 1;
  if (excerpts === null) {
    const [open = '', ...lines] = item.split('\n');
    const close = lines.pop() ?? '';
    const from = firstKept(lines, wanted, lineCost);
    return from < lines.length ? [open, ...lines.slice(from), close].join('\n') : null;
  }
  let left = wanted;
  let whole = 0;
  for (const { source, lines } of excerpts) {
    const cost = countText(`>>> ${source}\n${lines.join('\n')}`) + 1;
    if (cost > left) break;
    left -= cost;
    whole++;
  }
  const [next, ...rest] = excerpts.slice(whole);
  if (next === undefined) return null;
  if (left <= 0) return formatExcerpts([next, ...rest]);
  const from = firstKept(next.lines, left + lineCost(excerptGap), lineCost);
  const shorter = from < next.lines.length ? [{ ...next, lines: [excerptGap, ...next.lines.slice(from)] }] : [];
  return shorter.length + rest.length > 0 ? formatExcerpts([...shorter, ...rest]) : null;
}

/** Index of the first piece to keep when pieces are dropped from the front until the wanted tokens are saved. */
function firstKept<Piece>(pieces: readonly Piece[], wanted: number, cost: (piece: Piece) => number): number {
  let from = 0;
  for (let saved = 0; from < pieces.length && saved < wanted; from++) saved += cost(pieces[from]!);
  return from;
}
