import { contentText, type SummaryMaterial } from '@palimpsest/core';
import { unverifiedSummary } from '@palimpsest/pruner/salience';
import { formatExcerpts, readExcerptBlock } from '../template/excerpts.ts';
import { fenceText } from '../template/fence.ts';
import { isFenced } from '../template/section-items.ts';
import { type Item, verbatimItem } from './item.ts';

/** The line before each pinned text. The next pass finds the text by it. */
const pinLabel = 'Pinned, word for word:';

/** The texts of pinned messages, and those of earlier passes, which exist only in the previous summary. */
export function pinItems({ messages, pins = [] }: SummaryMaterial, offset: number, earlier: readonly string[]): Item[] {
  const before = earlier.flatMap((text, at) => (earlier[at - 1] === pinLabel ? [{ text, from: [] as number[] }] : []));
  const now = pins.flatMap((at) => {
    const text = contentText(messages[at]?.content).trim();
    return text === '' ? [] : [{ text: fenceText(text), from: [at + offset] }];
  });
  const texts = new Map([...before, ...now].map(({ text, from }) => [text, from]));
  return [...texts].map(([text, from]) => verbatimItem(`${pinLabel}\n${text}`, from));
}

/** Quotes summaries by other systems. They may be wrong, but each covers a whole session. */
export function foreignItems({ messages }: SummaryMaterial, offset: number, earlier: readonly string[]): Item[] {
  const now = messages.flatMap((message, at) => {
    if (message.name !== unverifiedSummary || message.role !== 'tool') return [];
    const lines = contentText(message.content).split('\n');
    const quoteFirst = (count: number): string =>
      formatExcerpts([{ source: unverifiedSummary, lines: lines.slice(0, count) }]);
    const forms = [lines.length, 60, 20].map((count) => verbatimItem(quoteFirst(count), [at + offset]).forms[0]!);
    return [{ forms }];
  });
  return [...earlier.filter(isForeign).map((text) => verbatimItem(text)), ...now];
}

function isForeign(text: string): boolean {
  return readExcerptBlock(text)?.every(({ source }) => source.startsWith(unverifiedSummary)) ?? false;
}

/** The quotations of tool output among the entries of an earlier handoff. */
export function earlierQuotations(earlier: readonly string[]): string[] {
  return earlier.filter((text, at) => isFenced(text) && earlier[at - 1] !== pinLabel && !isForeign(text));
}
