import type { SummaryLine } from '@palimpsest/core';
import {
  bareText,
  excerptGap,
  excerptKey,
  excerptSource,
  oneLine,
  type TranscriptLines,
} from '@palimpsest/pruner/salience';
import type { ExcerptBlock } from '../template/excerpts.ts';

/** A quotation with the messages it comes from. */
export interface SourcedBlock extends ExcerptBlock {
  /** Indices of the messages; empty if they are not known. */
  readonly from: readonly number[];
}

/** Groups the chosen lines, except calls, by source. */
export function excerptBlocks(record: TranscriptLines, chosen: Uint8Array): SourcedBlock[] {
  const groups: number[][] = [];
  let key = '';
  for (const [index, line] of record.lines.entries()) {
    if (!chosen[index] || line.kind === 'call') continue;
    const next = excerptKey(record, index);
    if (next === key) groups.at(-1)!.push(index);
    else groups.push([index]);
    key = next;
  }
  return groups.map((indices) => {
    const from = record.lines[indices[0]!]!.number;
    const to = record.lines[indices.at(-1)!]!.number;
    const range = from === to ? `${from}` : `${from}-${to}`;
    return {
      source: oneLine(`${excerptSource(record, indices[0]!)}:${range}`),
      lines: withGaps(record, indices),
      from: [...new Set(indices.map((index) => record.lines[index]!.at))],
    };
  });
}

/** The lines without listing numbers, with a mark at each gap. */
function withGaps({ lines }: TranscriptLines, indices: readonly number[]): string[] {
  return indices.flatMap((index, place) => {
    const text = bareText(lines[index]!);
    return place > 0 && indices[place - 1] !== index - 1 ? [excerptGap, text] : [text];
  });
}

/**
 * The lines of a block of quotations, with their sources.
 * @param text the blocks as `formatExcerpts` formatted them
 */
export function excerptLines(text: string, blocks: readonly SourcedBlock[]): SummaryLine[] {
  const sources = blocks.flatMap(({ lines, from }) => [
    from,
    ...lines.map((line) => (line === excerptGap ? [] : from)),
  ]);
  // The first line is the fence.
  return text.split('\n').map((line, at) => ({ text: line, from: sources[at - 1] ?? [] }));
}
