import { count } from '@palimpsest/command-line/count';
import type { CompressResult, Message } from '@palimpsest/core';
import type { Sample } from '../sample.ts';
import { outcomeBlocks, outcomeWords, outputBlocks, sourceBlocks } from '../strip-blocks.ts';
import { shareableText } from './shareable-text.ts';

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

const width = 1000;
const height = 36;

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

/** The input messages as a strip, coloured by their outcome under an engine. */
export function outcomeStrip(sample: Sample, result: CompressResult<Message>, section: string): string {
  const blocks = outcomeBlocks(sample, result).map(
    ({ tokens, look, left }, index): Drawn => ({
      tokens,
      look,
      left,
      title: `${index + 1} ${sample.messages[index]!.role}, ${count(tokens)} tokens, ${outcomeWords[look]}`,
      target: `${section}-${index}`,
    }),
  );
  return strip(blocks, total(blocks), `${result.report.engine}: the outcome of every message`);
}

/** The output as a strip on the scale of the input, so that its length shows how much is left. */
export function outputStrip(sample: Sample, result: CompressResult<Message>): string {
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
  return strip(blocks, Math.max(before, total(blocks)), `${result.report.engine}: what is left, by role`, 'after');
}

function total(blocks: readonly { readonly tokens: number }[]): number {
  return blocks.reduce((sum, block) => sum + block.tokens, 0);
}

function strip(blocks: readonly Drawn[], scale: number, label: string, look = ''): string {
  let at = 0;
  const drawn = blocks.map(({ tokens, look: fill, left, title, target }) => {
    const wide = scale > 0 ? (tokens / scale) * width : 0;
    const box = `x="${at.toFixed(2)}" width="${wide.toFixed(2)}"`;
    at += wide;
    const ghost = left < 1 ? `<rect class="${fill} ghost" ${box} y="0" height="${height}"/>` : '';
    const solid = `<rect class="${fill}" ${box} y="${(height * (1 - left)).toFixed(2)}" height="${(height * left).toFixed(2)}"/>`;
    const shapes = `<g><title>${shareableText(title)}</title>${ghost}${left > 0 ? solid : ''}</g>`;
    // Not a tab stop: keyboard users reach the messages in the list below the strips.
    return target === null ? shapes : `<a href="#${target}" tabindex="-1">${shapes}</a>`;
  });
  return `<svg class="${look}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${shareableText(label)}">${drawn.join('')}</svg>\n`;
}
