import { count } from '@palimpsest/command-line/count';
import type { Applied, Message } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { outcomeBlocks, outcomeWords, outputBlocks, sourceBlocks } from '../strip-blocks.ts';

/** One block of a strip. */
interface Drawn {
  readonly tokens: number;
  readonly look: string;
  /** The remaining fraction, drawn solid; the rest is translucent. */
  readonly left: number;
  readonly title: string;
  /** Id of the message it links to. */
  readonly target: string | null;
}

/** Messages with a counter of their tokens. */
export type Counted = Pick<Sample, 'messages' | 'tokens'>;

/** The input as a strip: a block per message, with a width proportional to its tokens, coloured by role. */
export function sourceStrip(sample: Sample, section: string): string {
  const blocks = sourceBlocks(sample).map(
    ({ tokens, look }, index): Drawn => ({
      tokens,
      look,
      left: 1,
      title: `${index + 1} ${sample.messages[index]!.role}, ${count(tokens)} tokens`,
      target: `${section}-${index}`,
    }),
  );
  return strip(blocks, total(blocks), 'Before: every message, by role');
}

/**
 * The input messages as a strip, coloured by their outcome under an engine.
 * @param section the section with the messages to link to; `null` for no links
 */
export function outcomeStrip(
  sample: Counted,
  result: Applied<Message>,
  engine: string,
  section: string | null,
): string {
  const blocks = outcomeBlocks(sample, result).map(
    ({ tokens, look, left }, index): Drawn => ({
      tokens,
      look,
      left,
      title: `${index + 1} ${sample.messages[index]!.role}, ${count(tokens)} tokens, ${outcomeWords[look]}`,
      target: section === null ? null : `${section}-${index}`,
    }),
  );
  return strip(blocks, total(blocks), `${engine}: the outcome of every message`);
}

/** The output as a strip on the scale of the input, so that its length shows how much is left. */
export function outputStrip(sample: Counted, result: Applied<Message>, engine: string): string {
  const before = total(sourceBlocks(sample));
  const blocks = outputBlocks(sample, result).map(
    ({ tokens, look }, at): Drawn => ({
      tokens,
      look,
      left: 1,
      title: `${at + 1} ${result.messages[at]!.role}, ${count(tokens)} tokens, ${result.provenance.output[at]!.kind}`,
      target: null,
    }),
  );
  return strip(blocks, Math.max(before, total(blocks)), `${engine}: what is left, by role`, 'strip after');
}

function total(blocks: readonly { readonly tokens: number }[]): number {
  return blocks.reduce((sum, block) => sum + block.tokens, 0);
}

function strip(blocks: readonly Drawn[], scale: number, label: string, look = 'strip'): string {
  const percent = (share: number): string => `${Number((share * 100).toFixed(3))}%`;
  let at = 0;
  const drawn = blocks.map(({ tokens, look: fill, left, title, target }) => {
    const wide = scale > 0 ? tokens / scale : 0;
    const box = `x="${percent(at)}" width="${percent(wide)}"`;
    at += wide;
    const ghost = left < 1 ? `<rect class="${fill} ghost" ${box} height="100%"/>` : '';
    const solid = `<rect class="${fill}" ${box} y="${percent(1 - left)}" height="${percent(left)}"/>`;
    const shapes = `<title>${shareableText(title)}</title>${ghost}${left > 0 ? solid : ''}`;
    // Not a tab stop: keyboard users reach the messages in the list below the strips.
    return target === null ? `<g>${shapes}</g>` : `<a href="#${target}" tabindex="-1">${shapes}</a>`;
  });
  // An image may not contain links.
  const role = blocks.some(({ target }) => target !== null) ? 'group' : 'img';
  return `<svg class="${look}" role="${role}" aria-label="${shareableText(label)}">${drawn.join('')}</svg>\n`;
}
