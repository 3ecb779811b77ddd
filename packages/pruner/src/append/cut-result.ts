import { isToolResult, type Message, type TokenCounter } from '@palimpsest/core';
import { ownText, withText } from '../exchange/result-text.ts';
import { startOf, withoutHalfPair } from '../salience/text/cut.ts';

/** Options of {@link cutResult}. */
export interface CutOptions {
  /** Masks secrets in a text before it is cut. @default no masking */
  readonly redact?: ((text: string) => string) | undefined;
  /** Counts the tokens of the result. @default one token per four characters */
  readonly tokens?: Pick<TokenCounter, 'countText'> | undefined;
}

/** A message to append, and its original if it was cut. */
export interface Appended<M extends Message> {
  /** The message to append: the given one, or a copy with shorter text. */
  readonly message: M;
  /** The uncut message, to be stored outside the prompt; `null` when nothing was cut. */
  readonly original: M | null;
}

/**
 * Cuts a tool result to about `maximum` tokens. Keeps the beginning and the end, cut at line breaks, with a note
 * between them on how much is missing. Returns other messages unchanged.
 */
export function cutResult<M extends Message>(message: M, maximum: number, options: CutOptions = {}): Appended<M> {
  const text = isToolResult(message) ? ownText(message.content) : '';
  const count = (of: string): number => options.tokens?.countText(of) ?? of.length / 4;
  if (count(text) <= maximum) return { message, original: null };
  // Mask before the cut, because the redactor would not recognize half a secret.
  const masked = options.redact?.(text) ?? text;
  const tokens = count(masked);
  const shorter = tokens <= maximum ? masked : shorten(masked, Math.floor((masked.length * maximum) / tokens));
  if (shorter === null) return { message, original: null };
  return { message: { ...message, content: withText(message.content, shorter) }, original: message };
}

/** Characters reserved for the remark in the middle. */
const remark = 60;

/** Gives two thirds of the room to the beginning and one third to the end, where commands report their outcome. */
function shorten(text: string, room: number): string | null {
  const length = Math.max(0, room - remark);
  const first = atLineEnd(startOf(text, Math.ceil((length * 2) / 3)));
  const last = atLineStart(text.slice(text.length - Math.floor(length / 3)));
  const missing = text.length - first.length - last.length;
  return missing <= remark ? null : `${first}\n[... ${missing} characters cut here ...]\n${last}`;
}

/** Cuts the text at a line break, if there is one near the end. */
function atLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

/** Removes an incomplete first line, if a line begins near the start; otherwise only half of a split surrogate pair. */
function atLineStart(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start > 0 && start < text.length / 2 ? text.slice(start) : withoutHalfPair(text);
}
