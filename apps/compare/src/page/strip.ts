import type { CompressResult, Fate, Message } from '@palimpsest/core';
import type { Sample } from '../sample.ts';
import { count } from '../token-amount.ts';
import { escapeHtml } from './escape.ts';

/** What became of a message, in the words of the page. */
export const fateWords: Readonly<Record<Fate['kind'], string>> = {
  kept: 'kept',
  rewritten: 'stubbed or shortened',
  carried: 'kept inside the handoff',
  summarized: 'summarized',
  dropped: 'dropped',
};

/** One block of a strip. */
interface Block {
  readonly tokens: number;
  readonly look: string;
  /** The share of it that is left, drawn solid; the rest is a ghost. */
  readonly left: number;
  readonly title: string;
  /** The message on the page it leads to. */
  readonly target: string | null;
}

const width = 1000;
const height = 36;

/** The transcript as it came in: a block for each message, as wide as its tokens, coloured by role. */
export function sourceStrip(sample: Sample, section: string): string {
  const blocks = sample.messages.map((message, index): Block => {
    const tokens = sample.tokens.countMessage(message);
    return {
      tokens,
      look: roleLook(message),
      left: 1,
      title: `${index} ${message.role}, ${count(tokens)} tokens`,
      target: `${section}-${index}`,
    };
  });
  return strip(blocks, total(blocks), 'Before: every message, by role');
}

/** The same messages, coloured by what an engine made of them. */
export function fateStrip(sample: Sample, result: CompressResult<Message>, section: string): string {
  const blocks = sample.messages.map((message, index): Block => {
    const fate = result.provenance.source[index]!;
    const tokens = sample.tokens.countMessage(message);
    const stands = fate.kind === 'kept' || fate.kind === 'rewritten';
    const after = stands ? sample.tokens.countMessage(result.messages[fate.at] as Message) : 0;
    const left = fate.kind === 'carried' || tokens === 0 ? 1 : Math.min(1, after / tokens);
    const title = `${index} ${message.role}, ${count(tokens)} tokens, ${fateWords[fate.kind]}`;
    return { tokens, look: fate.kind, left, title, target: `${section}-${index}` };
  });
  return strip(blocks, total(blocks), `${result.report.engine}: what became of every message`);
}

/** The output on the scale of the input, so that its length is what is left. */
export function outputStrip(sample: Sample, result: CompressResult<Message>): string {
  const before = sample.messages.reduce((sum, message) => sum + sample.tokens.countMessage(message), 0);
  const blocks = result.messages.map((message, at): Block => {
    const origin = result.provenance.output[at]!;
    const tokens = sample.tokens.countMessage(message as Message);
    const look = origin.kind === 'inserted' ? 'inserted' : roleLook(message as Message);
    return {
      tokens,
      look,
      left: 1,
      title: `${at} ${message.role}, ${count(tokens)} tokens, ${origin.kind}`,
      target: null,
    };
  });
  return strip(blocks, Math.max(before, total(blocks)), `${result.report.engine}: what is left, by role`, 'after');
}

export function roleLook(message: Message): string {
  if (message.role === 'developer') return 'system';
  return message.role === 'function' ? 'tool' : message.role;
}

function total(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.tokens, 0);
}

function strip(blocks: readonly Block[], scale: number, label: string, look = ''): string {
  let at = 0;
  const drawn = blocks.map(({ tokens, look: fill, left, title, target }) => {
    const wide = scale > 0 ? (tokens / scale) * width : 0;
    const box = `x="${at.toFixed(2)}" width="${wide.toFixed(2)}"`;
    at += wide;
    const ghost = left < 1 ? `<rect class="${fill} ghost" ${box} y="0" height="${height}"/>` : '';
    const solid = `<rect class="${fill}" ${box} y="${(height * (1 - left)).toFixed(2)}" height="${(height * left).toFixed(2)}"/>`;
    const shapes = `<g><title>${escapeHtml(title)}</title>${ghost}${left > 0 ? solid : ''}</g>`;
    // The list below the strips is the way for a keyboard; hundreds of stops here would be in its way.
    return target === null ? shapes : `<a href="#${target}" tabindex="-1">${shapes}</a>`;
  });
  return `<svg class="${look}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(label)}">${drawn.join('')}</svg>\n`;
}
