import { isToolResult, type Message, type TokenCounter } from '@palimpsest/core';
import { startOf, withoutHalfPair } from '@palimpsest/salience';
import { ownText, withText } from '../exchange/result-text.ts';

/** Options of {@link cutResult}. */
export interface CutOptions {
  /** Replaces secrets in a text that is cut, before it is cut. @default nothing is replaced */
  readonly redact?: ((text: string) => string) | undefined;
  /** Counts the tokens of the result. @default one token per four characters */
  readonly tokens?: Pick<TokenCounter, 'countText'> | undefined;
}

/** A message to append, and the original if it was cut. */
export interface Appended<M extends Message> {
  /** What to append: the message itself, or a copy with shorter text. */
  readonly message: M;
  /** The uncut message, to be stored outside the prompt; `null` when nothing was cut. */
  readonly original: M | null;
}

/**
 * Cuts the result of any tool to about `maximum` tokens. Keeps the beginning and the end, cut at line breaks, and
 * states between them how much is missing. Messages that are not tool results are returned unchanged.
 */
export function cutResult<M extends Message>(message: M, maximum: number, options: CutOptions = {}): Appended<M> {
  const text = isToolResult(message) ? ownText(message.content) : '';
  const count = (of: string): number => options.tokens?.countText(of) ?? of.length / 4;
  if (count(text) <= maximum) return { message, original: null };
  // Before the cut: the redactor would not recognize half a secret.
  const masked = options.redact?.(text) ?? text;
  const tokens = count(masked);
  const shorter = tokens <= maximum ? masked : shortened(masked, Math.floor((masked.length * maximum) / tokens));
  if (shorter === null) return { message, original: null };
  return { message: { ...message, content: withText(message.content, shorter) }, original: message };
}

/** Characters reserved for the remark in the middle. */
const remark = 60;

/** Gives two thirds of the room to the beginning and one to the end, where commands report their outcome. */
function shortened(text: string, room: number): string | null {
  const length = Math.max(0, room - remark);
  const first = atLineEnd(startOf(text, Math.ceil((length * 2) / 3)));
  const last = atLineStart(text.slice(text.length - Math.floor(length / 3)));
  const missing = text.length - first.length - last.length;
  return missing <= remark ? null : `${first}\n[... ${missing} characters cut here ...]\n${last}`;
}

/** Cuts back to a line break, if there is one near the end. */
function atLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

/** Cuts forward to a line, if one begins near the start; otherwise drops only half a surrogate pair. */
function atLineStart(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start > 0 && start < text.length / 2 ? text.slice(start) : withoutHalfPair(text);
}
