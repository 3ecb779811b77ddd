import { isToolResult, type Message, type TokenCounter } from '@palimpsest/core';
import { head, wholeFrom } from './quote.ts';
import { ownText, withText } from './tool-result.ts';

export interface CutOptions {
  /** Replaces secrets in what remains. @default nothing is replaced */
  readonly redact?: ((text: string) => string) | undefined;
  /** @default a token for every four characters */
  readonly tokens?: Pick<TokenCounter, 'countText'> | undefined;
}

export interface Appended<M extends Message> {
  /** What to append: the message itself, or a copy with shorter text. */
  readonly message: M;
  /** The message as it came, for keeping outside of the prompt; `null` when nothing was cut. */
  readonly original: M | null;
}

/**
 * Cuts a tool result of more than `maximum` tokens to about as many, whatever tool it is of. Keeps the beginning and the
 * end, cut at line breaks, and says between them how much is missing. Anything but a tool result comes back as it is.
 */
export function cutResult<M extends Message>(message: M, maximum: number, options: CutOptions = {}): Appended<M> {
  const text = isToolResult(message) ? ownText(message.content) : '';
  const tokens = options.tokens?.countText(text) ?? text.length / 4;
  const shorter = tokens <= maximum ? null : shortened(text, Math.floor((text.length * maximum) / tokens));
  if (shorter === null) return { message, original: null };
  const content = withText(message.content, (options.redact ?? ((kept) => kept))(shorter));
  return { message: { ...message, content }, original: message };
}

/** Room for the remark in the middle, in characters. */
const remark = 60;

/** Two thirds of the room for the beginning, one for the end, which is where commands say how they went. */
function shortened(text: string, room: number): string | null {
  const length = Math.max(0, room - remark);
  const first = atLineEnd(head(text, Math.ceil((length * 2) / 3)));
  const last = atLineStart(text.slice(text.length - Math.floor(length / 3)));
  const missing = text.length - first.length - last.length;
  return missing <= remark ? null : `${first}\n[... ${missing} characters cut here ...]\n${last}`;
}

/** Cuts back to a line break, if there is one near the end. */
function atLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

/** Cuts forward to a line, if one begins near the start, and past half a surrogate pair in any case. */
function atLineStart(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start > 0 && start < text.length / 2 ? text.slice(start) : wholeFrom(text);
}
