import { oneLine, selectLines, unverifiedSummary } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { withoutPins } from '../grounding/carry-pins.ts';
import { excerptBlocks, excerptLines } from '../record/excerpt-blocks.ts';
import { type ExcerptBlock, formatExcerpts, readExcerpts } from '../template/excerpts.ts';
import { lastNumber, listed, type NumberedItem, readNumbered } from '../template/numbered-list.ts';
import type { PreviousSections } from '../template/previous-sections.ts';
import type { TurnFacts } from './gather-facts.ts';
import type { SectionFiller } from './section-filler.ts';

/** Maximum share of the budget for context and excerpts of the previous summary. */
const previousShares = { context: 0.1, excerpts: 0.2 } as const;

/** Tokens of the line with the number of calls that are not listed. */
const leftOutTokens = 14;

/**
 * Spends the rest of the budget on the highest-ranked lines of the turns: calls as numbered actions, other lines as
 * excerpts with their source. Context and excerpts of the previous summary come first.
 * @param task the open requests as already listed; their lines are not quoted again
 */
export function fillQuotedLines(
  filler: SectionFiller,
  facts: TurnFacts,
  previous: PreviousSections,
  task: readonly string[],
): void {
  const context = readExcerpts(withoutPins(previous.text('context')));
  const items = readNumbered(context.rest).map(({ text }) => listed('-', text));
  filler.add('context', items, previousShares.context);
  const previousBlocks = newestBlocks(context.blocks, filler.room(previousShares.excerpts));
  filler.spend(previousBlocks.reduce((sum, block) => sum + blockCost(block), 0));
  const listedLines = new Set(task.flatMap((text) => text.split('\n').map((line) => line.trim())));
  filler.spend(leftOutTokens);
  const chosen = selectLines(facts, filler.left, listedLines);
  const numbers = addActions(filler, facts, chosen, earlierActions(previous));
  const blocks = [
    ...previousBlocks.map((block) => ({ ...block, from: [] })),
    ...excerptBlocks(facts.record, chosen, numbers),
  ];
  const text = formatExcerpts(blocks);
  if (text !== '') filler.append('context', text, excerptLines(text, blocks));
}

/** Matches the line of {@link addActions} about calls that are not listed. */
const callsLeftOut: RegExp = /^\d+ (?:other|more) tool calls? left out\b/;

/** The finished actions of the previous summary, without its line about calls that are not listed. */
export function earlierActions(previous: PreviousSections): NumberedItem[] {
  return previous.numbered('actions').filter(({ text }) => !callsLeftOut.test(text));
}

/**
 * Lists the chosen calls as numbered actions and states the number of other calls. Numbers count all calls of the
 * session, so that a call always keeps its number.
 * @param earlier the actions of the previous summary
 * @returns the number of each listed call
 */
function addActions(
  filler: SectionFiller,
  { record, outcomes, isFolded }: TurnFacts,
  chosen: Uint8Array,
  earlier: readonly NumberedItem[],
): ReadonlyMap<number, number> {
  const { calls } = record;
  const numbers = new Map<number, number>();
  const last = lastNumber(earlier);
  const first = calls.findIndex(({ at }) => isFolded(at));
  const offset = last > 0 ? last - Math.max(0, first) : 0;
  for (const [index, call] of calls.entries()) {
    if (!chosen[call.line]) continue;
    const outcome = outcomes.get(index);
    const head = record.lines[call.line]!.text.slice(call.name.length).trim() || call.name;
    const number = index + 1 + offset;
    numbers.set(index, number);
    const text = oneLine(`${number}. ${head}${outcome ? ` - ${outcome}` : ''} [tool: ${call.name}]`);
    filler.append('actions', text, [{ text, from: outcome ? [call.at, call.answeredAt] : [call.at] }]);
  }
  const all = calls.findLastIndex(({ at }) => isFolded(at)) + 1 + offset;
  const left = all - numbers.size - earlier.length - (last > 0 ? 0 : Math.max(0, first));
  if (left > 0)
    filler.append('actions', `- ${left} other tool ${left === 1 ? 'call' : 'calls'} left out; the numbers count them.`);
  return numbers;
}

/**
 * Picks the newest blocks that fit. Quoted summaries come first, up to half of the room, because they cover more than
 * other quotations of the same age.
 */
function newestBlocks(blocks: readonly ExcerptBlock[], room: number): ExcerptBlock[] {
  const kept = new Set<ExcerptBlock>();
  let left = room;
  const take = (candidates: readonly ExcerptBlock[], least: number): void => {
    for (const block of candidates.toReversed()) {
      const cost = blockCost(block);
      if (kept.has(block) || left - cost < least) continue;
      left -= cost;
      kept.add(block);
    }
  };
  take(
    blocks.filter(({ source }) => source.startsWith(unverifiedSummary)),
    room / 2,
  );
  take(blocks, 0);
  return blocks.filter((block) => kept.has(block));
}

function blockCost({ source, lines }: ExcerptBlock): number {
  return estimateTokens(source) + 4 + lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}
