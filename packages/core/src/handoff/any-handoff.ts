import type { Message, Part } from '../messages/message.ts';
import { type Handoff, openingText, readHandoff, withFollowingParts } from './handoff.ts';
import { ownContent } from './own-content.ts';

/** Recognizes summaries that other systems insert. */
export interface ForeignHandoffReader {
  /**
   * Reads another system's summary at the start of a text. Returns version 0, the body, and the user's own text after
   * the end mark. Linear time.
   * @returns `null` when the text does not start with one
   */
  readForeignHandoff(text: string): Handoff | null;
}

/**
 * Reads the handoff that a message starts with: this library's ({@link readHandoff}) or another system's (version 0). The
 * latter may also be in an assistant message. Returns `null` for a message without a handoff.
 * @param reader recognizes other systems' handoffs: `host.reader`
 */
export function readAnyHandoff(message: Message, reader: ForeignHandoffReader): Handoff | null {
  return readHandoff(message) ?? readForeign(message, reader);
}

/**
 * The content of a user message without the handoff at its beginning and the harness messages quoted after it.
 * @param reader recognizes other systems' handoffs: `host.reader`
 */
export function contentWithoutHandoff(message: Message, reader: ForeignHandoffReader): string | readonly Part[] {
  return readHandoff(message) ? ownContent(message) : (readForeign(message, reader)?.rest ?? message.content ?? '');
}

/**
 * The length in characters of another system's handoff at the start of a user message, or 0.
 * @param reader recognizes other systems' handoffs: `host.reader`
 */
export function foreignHandoffLength(message: Message, reader: ForeignHandoffReader): number {
  const text = readHandoff(message) ? null : openingText(message.content);
  const found = text === null ? null : reader.readForeignHandoff(text);
  return found ? text!.length - (found.rest as string).length : 0;
}

function readForeign({ role, content }: Message, reader: ForeignHandoffReader): Handoff | null {
  const text = role === 'user' || role === 'assistant' ? openingText(content) : null;
  const found = text === null ? null : reader.readForeignHandoff(text);
  return found && withFollowingParts(found, content);
}
