import type { Message } from '@palimpsest/core';
import { oneLine } from '@palimpsest/pruner/salience';
import { boundaryBefore, cutText } from '../text/cut-text.ts';
import { sentenceEnds } from '../text/sentences.ts';
import { rememberedBlocks } from '../text/typed-blocks.ts';

// All lengths are in characters.
/** Minimum length of the gist of a longer message. */
const shortest = 80;
const longest = 240;
/**
 * Maximum length of a last paragraph that is added to the gist of a long message, because the request may be at the
 * end.
 */
const longestEnding = 200;
/** Length of typed text from which the request may be at either end. */
const fewWords = 1_500;
/** With less typed text than this, the gist also quotes the first line of pasted text. */
const fewestWords = 12;

/** Matches a slash command as Claude Code stores it. */
const slashCommandText: RegExp =
  /^(?:<command-message>[^<]{0,200}<\/command-message>\s*)?<command-name>([^<]{1,200})<\/command-name>(?:\s*<command-message>[^<]{0,200}<\/command-message>)?(?:\s*<command-args>([^<]*)<\/command-args>)?\s*$/;

/** The command that a message consists of, as the user typed it; `null` for any other message. */
export function slashCommand(text: string): string | null {
  const found = text.startsWith('<command-') ? slashCommandText.exec(text) : null;
  return found && oneLine(`${found[1]} ${found[2] ?? ''}`).trim();
}

/**
 * Returns what a message asks for: its first sentences, verbatim on one line, and the last paragraph of a long message.
 * `[pasted: 312 lines]` stands for pasted text, `[...]` for omitted text.
 */
export function gistOf(text: string, message?: Message): string {
  const command = slashCommand(text);
  if (command !== null) return cutText(command, shortest, longest);
  const blocks = rememberedBlocks(text, message);
  const hasPaste = blocks.some(({ isPasted }) => isPasted);
  const words = blocks.filter(({ isPasted }) => !isPasted).flatMap(({ lines }) => lines);
  if (words.length === 0)
    return hasPaste ? pastedOnly(text, blocks[0]!.count) : cutText(oneLine(text).trim(), shortest, longest);
  const whole = words.map((line) => oneLine(line).trim()).join(' ');
  const all = text.length <= 2 * longest ? oneLine(text.trim()) : '';
  if (all !== '' && all.length <= longest) return all;
  if (!hasPaste && whole.length <= longest) return whole;
  const isBare = whole.length < fewestWords;
  const parts: string[] = [];
  let told = 0;
  let lines = 0;
  for (const block of blocks) {
    if (block.isPasted) {
      const start = isBare ? `${cutText(oneLine(block.lines[0] ?? '').trim(), 1, shortest)} ` : '';
      parts.push(`${start}[pasted: ${block.count} lines]`);
      continue;
    }
    const start = startOfBlock(block.lines, shortest - told, longest - told);
    parts.push(start.text);
    told += start.text.length;
    lines += start.lines;
    if (told >= shortest || start.isCut) break;
  }
  const pasted = blocks.slice(parts.length).reduce((sum, { isPasted, count }) => sum + (isPasted ? count : 0), 0);
  if (pasted > 0) parts.push(`[pasted: ${pasted} lines]`);
  const isLong = whole.length > fewWords || pasted > 0;
  const ending = isLong && (lines < words.length || whole.length > fewWords) ? lastSentence(words.at(-1)!) : '';
  if (ending !== '') parts.push(...(pasted === 0 ? ['[...]'] : []), ending);
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the line, or the last sentence of a long line; `''` if that is also long. */
function lastSentence(line: string): string {
  const end = oneLine(line.slice(-4 * longestEnding)).trim();
  const from = line.trim().length <= longestEnding ? 0 : (sentenceEnds(end).at(-2) ?? 0);
  const sentence = end.slice(boundaryBefore(end, from)).trim();
  return sentence.length <= longestEnding && /[A-Za-z\u00aa-\uffff]{2}/.test(sentence) ? sentence : '';
}

function pastedOnly(text: string, count: number): string {
  const line = oneLine(text.slice(0, 2 * longest)).trim();
  const start = cutText(line, shortest, shortest + 40);
  return count > 2 || start.length < line.length ? `${start} [pasted: ${count} lines]` : start;
}

/**
 * Returns the first whole sentences with at least `least` characters; if they exceed `most`, the text cut between
 * words.
 */
function startOfBlock(
  lines: readonly string[],
  least: number,
  most: number,
): { text: string; lines: number; isCut: boolean } {
  let text = '';
  let used = 0;
  for (const written of lines) {
    const line = oneLine(written).trim();
    const room = most - text.length - (text === '' ? 0 : 1);
    if (room <= 0) return { text, lines: used, isCut: true };
    const read = line.slice(0, room + 2);
    const joined = text === '' ? '' : `${text} `;
    const end = sentenceEnds(read).find((one) => joined.length + one >= least && one <= room);
    used++;
    const isWhole = end === undefined && line.length <= room;
    if (isWhole) text = joined + line;
    else if (end !== undefined && end < read.length) text = joined + line.slice(0, boundaryBefore(line, end));
    else if (end !== undefined && read.length === line.length) text = joined + line;
    else
      return {
        text: joined + cutText(line, Math.max(1, least - joined.length), Math.max(1, room)),
        lines: used,
        isCut: true,
      };
    if (text.length >= least) return { text, lines: used, isCut: text.length < joined.length + line.length };
  }
  return { text, lines: used, isCut: false };
}
