import type { SummaryLine, SummaryTemplate } from '@palimpsest/core';
import { focusWords, rankLines, selectLines } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { formatExcerpts, readExcerptBlock } from '../template/excerpts.ts';
import { formatSummary } from '../template/parse-summary.ts';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { completeTemplate } from '../template/templates.ts';
import { excerptBlocks, excerptLines } from './excerpt-blocks.ts';
import { fit, lineTokens } from './item.ts';
import type { HandoffRecord } from './record.ts';
import { pageMark, partIndex, readSections, withoutHeadings } from './sections.ts';

/** How to write a handoff. */
export interface ComposeOptions {
  readonly template: SummaryTemplate;
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
  /** A model's page, by section of the complete template. @default that of the previous summary */
  readonly page?: readonly string[] | undefined;
  readonly focusTopic: string | null;
}

/** The text of a handoff. */
export interface WrittenHandoff {
  readonly text: string;
  /** Lines whose source is known, in order, with indices of the record. */
  readonly lines: readonly SummaryLine[];
}

/** The text of a handoff, with its page. */
export interface Composed extends WrittenHandoff {
  /** A model's words in it, by section of the complete template. */
  readonly page: readonly string[];
}

/** A handoff that fills this share of its budget is good enough. */
const fullShare = 0.97;
const maxAttempts = 6;
/** Number of attempts in which a page of at most its share of the budget stays whole. */
const pageWhole = 4;
/** Tokens of a heading with its blank line. */
const headingTokens = 8;
/** A page with less than this share of the budget is thin. */
const minPageShare = 0.5;
/**
 * Maximum share of the budget for a model's page, and for one of an earlier pass. The model is asked for a slightly
 * shorter page.
 */
const [pageShare, earlierShare] = [0.85, 0.4] as const;
/** Share of the room for quotations if there is a focus topic. */
const focusShare = 0.4;
/** Maximum share of the room for quotations of the previous summary. */
const quotedShare = 0.5;
/** Less room than this is too little for a quotation. Tokens. */
const minQuotationTokens = 40;
/** A shorter quotation is not useful. Characters. */
const minQuotationLength = 40;

/**
 * Writes a handoff from the record and a model's page, in at most the given tokens. The text is counted with the
 * caller's counter; within an attempt, tokens are estimated.
 */
export function composeHandoff(record: HandoffRecord, options: ComposeOptions): Composed {
  const { budgetTokens, countText } = options;
  let estimate = budgetTokens;
  let best: Composed | null = null;
  let bestTokens = -1;
  let shortest: Composed | null = null;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // A page that fits stays whole: first, what rules add gets less room.
    const composed = compose(record, options, estimate, attempt < pageWhole ? budgetTokens : estimate);
    const tokens = countText(composed.text);
    if (tokens <= budgetTokens && tokens > bestTokens) {
      best = composed;
      bestTokens = tokens;
    }
    if (shortest === null || composed.text.length < shortest.text.length) shortest = composed;
    if (tokens <= budgetTokens && (tokens >= budgetTokens * fullShare || estimate > budgetTokens * 3)) break;
    // The remaining attempts cut the page as well.
    const counted = attempt + 1 === pageWhole ? budgetTokens : estimate;
    estimate = (counted * budgetTokens * (tokens > budgetTokens ? 0.985 : 0.995)) / Math.max(1, tokens);
  }
  return best ?? shortest!;
}

/** Maximum share of the budget that a claim without a smaller one adds to a page. */
const maxShare = 0.35;

/** Tokens that rules add to any page. */
export function countGuaranteed({ claims }: HandoffRecord, budgetTokens: number): number {
  return claims
    .filter(({ besidePage }) => besidePage === 'always')
    .reduce((sum, { items, share, minTokens = 0, keep = 'first' }) => {
      const room = Math.min(Math.max(minTokens, budgetTokens * Math.min(share, maxShare)), budgetTokens - sum);
      return sum + fit(items, room, keep).tokens;
    }, 0);
}

function compose(record: HandoffRecord, options: ComposeOptions, budget: number, pageBudget: number): Composed {
  const template = completeTemplate(options.template);
  const share = options.page ? pageShare : earlierShare;
  const page = withinRoom(options.page ?? record.page, pageBudget * share);
  const pageTokens = tokensOf(page);
  const isThin = options.page === undefined || pageTokens < budget * minPageShare;
  const entries = template.sections.map((): (readonly SummaryLine[])[] => []);
  let left = budget - pageTokens - page.filter((text) => text !== '').length * headingTokens;
  const room = left * (options.focusTopic === null ? 1 : 1 - focusShare);
  const rest = left - room;
  const words = focusWords(options.focusTopic);
  const isFocused = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word));
  left = room;
  for (const { part, items, share: most, minTokens = 0, keep = 'first', besidePage } of record.claims) {
    if (!isThin && besidePage === 'thin') continue;
    const place = partIndex(template, part);
    const heading = entries[place]!.length > 0 || page[place] !== '' ? 0 : headingTokens;
    const own = Math.max(minTokens, Math.min(left, room * most + heading) - heading);
    const fitted = fit(items, own, keep, besidePage === 'always' ? undefined : isFocused);
    if (fitted.entries.length === 0) continue;
    entries[place]!.push(...fitted.entries);
    left -= fitted.tokens + heading;
  }
  // What has several claims is written in order. That of the previous summary, which has no source, comes first.
  const place = ([line]: readonly SummaryLine[]): number => line?.from[0] ?? -1;
  for (const part of ['messages', 'work'] as const)
    entries[partIndex(template, part)]!.sort((one, other) => place(one) - place(other));
  const lines = entries.map((all) => all.flat());
  if (!options.page)
    lines[partIndex(template, 'context')]!.push(...quotations(record, options.focusTopic, left + rest, lines));
  return joinRecordAndPage(lines, page, template);
}

/** Fills a room with the lines of results and arguments that are most likely needed again. */
function quotations(
  { material, quotations: earlier }: HandoffRecord,
  focusTopic: string | null,
  room: number,
  written: readonly (readonly SummaryLine[])[],
): readonly SummaryLine[] {
  if (room < minQuotationTokens) return [];
  const { work, isSummarized } = material;
  const { transcriptLines } = work;
  const before: { source: string; lines: readonly string[]; from: readonly number[] }[] = [];
  let left = room;
  for (const block of earlier.flatMap((text) => readExcerptBlock(text) ?? []).reverse()) {
    const cost =
      estimateTokens(block.source) + 4 + block.lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
    if (left - cost < room * (1 - quotedShare)) continue;
    left -= cost;
    before.unshift({ ...block, from: [] });
  }
  const ranked = rankLines(transcriptLines, focusWords(focusTopic));
  const order = [...transcriptLines.lines.keys()].filter((index) => {
    const { at, kind } = transcriptLines.lines[index]!;
    return isSummarized(at) && kind !== 'call' && kind !== 'user' && kind !== 'agent' && kind !== 'summary';
  });
  order.sort((a, b) => ranked.scores[b]! - ranked.scores[a]! || b - a);
  const known = new Set(written.flatMap((lines) => lines.map(({ text }) => text.trim())));
  const input = { record: transcriptLines, ranked, order };
  const found = excerptBlocks(transcriptLines, selectLines(input, left, known));
  const blocks = [...before, ...found.filter(({ lines }) => lines.join('').trim().length >= minQuotationLength)];
  const text = formatExcerpts(blocks);
  return text === '' ? [] : excerptLines(text, blocks);
}

/** Joins record and page. Lines keep their source, also where a line had to be escaped. */
function joinRecordAndPage(
  record: readonly (readonly SummaryLine[])[],
  page: readonly string[],
  template: SummaryTemplate,
): Composed {
  const texts = template.sections.map(({ part, isOfUser }, at) => {
    const own = record[at]!.map(({ text }) => text);
    const words = page[at]!.trim() === '' ? [] : [...(part || isOfUser ? [pageMark] : []), withoutHeadings(page[at]!)];
    return [...own, ...words].join('\n');
  });
  return { text: formatSummary(texts, template), lines: record.flat().filter(({ from }) => from.length > 0), page };
}

/**
 * The part of a handoff that cannot be rebuilt from the messages it replaces: a model's page, next to the record of an
 * earlier handoff whose messages are gone.
 * @param carriedSummary that earlier handoff; `null` for none
 */
export function partToCarry(
  page: readonly string[],
  carriedSummary: string | null,
  template: SummaryTemplate,
): string | null {
  const complete = completeTemplate(template);
  const records = readSections(carriedSummary ?? '', complete).map(({ record }) =>
    record === '' ? [] : [{ text: record, from: [] }],
  );
  const isEmpty = [...records.flat().map(({ text }) => text), ...page].every((text) => text.trim() === '');
  return isEmpty ? null : joinRecordAndPage(records, page, complete).text;
}

/**
 * Drops entries of the longest section until a page fits: code first, the longest first, because its file has it; then
 * the middle, because a page begins with what it is about and ends with what comes next.
 */
function withinRoom(page: readonly string[], room: number): readonly string[] {
  let over = tokensOf(page) - room;
  if (over <= 0) return page;
  const sections = page.map((text) =>
    sectionItems(text).map((entry) => ({ entry, tokens: estimateTokens(entry) + 1 })),
  );
  const code = sections.flatMap((entries) => entries.filter(({ entry }) => isFenced(entry)));
  const dropped = new Set(
    code
      .toSorted((one, other) => other.tokens - one.tokens)
      .filter(({ tokens }) => {
        const isOver = over > 0;
        if (isOver) over -= tokens;
        return isOver;
      }),
  );
  const left = sections.map((entries) => entries.filter((one) => !dropped.has(one)));
  const sizes = left.map((entries) => entries.reduce((sum, { tokens }) => sum + tokens, 0));
  while (over > 0) {
    const longest = sizes.indexOf(Math.max(...sizes));
    const [middle] = left[longest]!.splice(left[longest]!.length >> 1, 1);
    if (!middle) break;
    sizes[longest]! -= middle.tokens;
    over -= middle.tokens;
  }
  return left.map((entries) => entries.map(({ entry }) => entry).join('\n'));
}

function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text === '' ? 0 : lineTokens([{ text, from: [] }])), 0);
}
