import { count } from '@palimpsest/command-line/count';
import type { Applied, Message } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { outcomeBlocks, outcomeWords, outputBlocks, sourceBlocks } from './strip-blocks.ts';

/** Messages with a counter of their tokens. */
export type Counted = Pick<Sample, 'messages' | 'tokens'>;

/** What a strip shows. */
export interface Strip {
  readonly label: string;
  readonly blocks: readonly {
    readonly tokens: number;
    readonly look: string;
    /** The remaining fraction, drawn solid; the rest is translucent. @default 1 */
    readonly left?: number;
  }[];
  title(index: number): string;
  /** What a block links to; `null` for none. @default no links */
  readonly link?: ((index: number) => string | null) | undefined;
  /** Tokens of the whole width. @default those of the blocks */
  readonly scale?: number;
  /** Classes of the strip. @default 'strip' */
  readonly look?: string;
  /** Tokens at which a vertical line is drawn. @default none */
  readonly lines?: readonly number[];
}

/** The input as a strip: a block per message, with a width proportional to its tokens, coloured by role. */
export function sourceStrip(sample: Sample, section: string): string {
  const blocks = sourceBlocks(sample);
  const title = (index: number): string => messageTitle(sample, index);
  return strip({ label: 'Before: every message, by role', blocks, title, link: linkTo(section) });
}

/**
 * The input messages as a strip, coloured by their outcome under an engine.
 * @param section the section with the messages to link to
 */
export function outcomeStrip(sample: Counted, result: Applied<Message>, engine: string, section: string): string {
  const blocks = outcomeBlocks(sample, result);
  const title = (index: number): string => `${messageTitle(sample, index)}, ${outcomeWords[blocks[index]!.look]}`;
  return strip({ label: `${engine}: the outcome of every message`, blocks, title, link: linkTo(section) });
}

/** The output as a strip on the scale of the input, so that its length shows how much is left. */
export function outputStrip(sample: Counted, result: Applied<Message>, engine: string): string {
  const blocks = outputBlocks(sample, result);
  const output = { messages: result.messages as readonly Message[], tokens: sample.tokens };
  const title = (at: number): string => `${messageTitle(output, at)}, ${result.provenance.output[at]!.kind}`;
  const scale = Math.max(total(sourceBlocks(sample)), total(blocks));
  return strip({ label: `${engine}: what is left, by role`, blocks, title, scale, look: 'strip after' });
}

function messageTitle({ messages, tokens }: Counted, index: number): string {
  const message = messages[index]!;
  return `${index + 1} ${message.role}, ${count(tokens.countMessage(message))} tokens`;
}

function total(blocks: Strip['blocks']): number {
  return blocks.reduce((sum, block) => sum + block.tokens, 0);
}

function linkTo(section: string): (index: number) => string {
  return (index) => `#${section}-${index}`;
}

/** Draws a strip. */
export function strip({
  label,
  blocks,
  title,
  link,
  scale = total(blocks),
  look = 'strip',
  lines = [],
}: Strip): string {
  const percent = (share: number): string => `${Number((share * 100).toFixed(3))}%`;
  let at = 0;
  const drawn = blocks.map(({ tokens, look: fill, left = 1 }, index) => {
    const wide = scale > 0 ? tokens / scale : 0;
    const box = `x="${percent(at)}" width="${percent(wide)}"`;
    at += wide;
    const ghost = left < 1 ? `<rect class="${fill} ghost" ${box} height="100%"/>` : '';
    const solid = `<rect class="${fill}" ${box} y="${percent(1 - left)}" height="${percent(left)}"/>`;
    const shapes = `<title>${shareableText(title(index))}</title>${ghost}${left > 0 ? solid : ''}`;
    const href = link?.(index) ?? null;
    // Not a tab stop: keyboard users reach the messages in the list below the strips.
    return href === null ? `<g>${shapes}</g>` : `<a href="${href}" tabindex="-1">${shapes}</a>`;
  });
  const marks = lines.map((tokens) => {
    const x = percent(tokens / scale);
    return `<line x1="${x}" x2="${x}" y1="0" y2="100%"/>`;
  });
  // An image may not contain links.
  const role = link ? 'group' : 'img';
  return `<svg class="${look}" role="${role}" aria-label="${shareableText(label)}">${drawn.join('')}${marks.join('')}</svg>\n`;
}
