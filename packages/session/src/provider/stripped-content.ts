import { hasToolCalls, isImagePart, isTextPart, type Message, type Part } from '@palimpsest/core';
import { memoizeByObject } from '@palimpsest/core/authoring';

/** Fields in which providers and gateways return reasoning. */
const reasoningFields: readonly string[] = ['reasoning', 'reasoning_details', 'thinking', 'thinking_blocks'];
const reasoningParts: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** What is stored of {@link StrippedContent}. */
export interface StrippedSnapshot {
  /** Reasoning is removed from this many messages of the caller. */
  readonly reasoningBefore: number;
  /** What is sent as plain text, by model. */
  readonly plain: Readonly<Record<string, 'tools' | 'all'>>;
}

/**
 * Content that is no longer sent because the provider refused it: reasoning with a rejected signature or encryption,
 * and content that has to be plain text. The caller's messages are not changed. Stripped copies are cached, so the
 * bytes sent stay the same from turn to turn.
 */
export class StrippedContent {
  #reasoningBefore = 0;
  /** What is sent as plain text, by model: lists of tool results first; then text lists of every message. */
  readonly #plain = new Map<string, 'tools' | 'all'>();
  readonly #withoutReasoning = memoizeByObject(withoutReasoning);
  readonly #withPlainText = memoizeByObject(withPlainText);

  /** Strips reasoning from the caller's first `messages` messages. @returns false when that was done already */
  stripReasoning(messages: number): boolean {
    if (messages <= this.#reasoningBefore) return false;
    this.#reasoningBefore = messages;
    return true;
  }

  /**
   * Sends tool results as plain text to one model; if that was not enough or changes nothing, also every other message
   * whose content is a list of texts.
   * @param messages the caller's messages, with their lists as they are sent
   * @returns false when nothing is left to change
   */
  stripToolParts(model: string, messages: readonly Message[]): boolean {
    const before = this.#plain.get(model);
    if (before === 'all') return false;
    const next = before === undefined && messages.some(isToolParts) ? 'tools' : 'all';
    if (next === 'all' && !messages.some(isTextList)) return false;
    this.#plain.set(model, next);
    return true;
  }

  /**
   * Returns the message without refused content; the same object when nothing is stripped.
   * @param at the index of the caller's message
   */
  apply(message: Message, at: number, model: string): Message {
    if (message.role === 'assistant' && at < this.#reasoningBefore) return this.#withoutReasoning(message);
    const plain = this.#plain.get(model);
    if (plain && (isToolParts(message) || (plain === 'all' && isTextList(message))))
      return this.#withPlainText(message);
    return message;
  }

  snapshot(): StrippedSnapshot {
    return { reasoningBefore: this.#reasoningBefore, plain: Object.fromEntries(this.#plain) };
  }

  restore({ reasoningBefore, plain }: StrippedSnapshot = { reasoningBefore: 0, plain: {} }): void {
    this.#reasoningBefore = reasoningBefore;
    this.#plain.clear();
    for (const [model, what] of Object.entries(plain)) this.#plain.set(model, what);
  }

  /** Sends everything again, for a new conversation. */
  clear(): void {
    this.#reasoningBefore = 0;
    this.#plain.clear();
  }
}

/** Sets `reasoning_content` to `undefined`, so that codecs also drop encrypted reasoning. JSON omits the key. */
function withoutReasoning(message: Message): Message {
  const { content } = message;
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !reasoningFields.includes(name)));
  const parts = Array.isArray(content) ? (content as readonly Part[]) : null;
  const said = parts?.filter((part) => !reasoningParts.has(part.type));
  return {
    ...kept,
    role: message.role,
    ...(said && said.length < parts!.length && (said.length > 0 || hasToolCalls(message))
      ? { content: said.length > 0 ? said : null }
      : {}),
    reasoning_content: undefined,
  } as Message;
}

function isToolParts({ role, content }: Message): boolean {
  return role === 'tool' && Array.isArray(content);
}

/** True for a message other than a tool result whose content is a list of texts and nothing else. */
function isTextList(message: Message): boolean {
  const { content } = message;
  return (
    !isToolParts(message) && Array.isArray(content) && (content as readonly Part[]).every((part) => isTextPart(part))
  );
}

function withPlainText(message: Message): Message {
  const parts = message.content as readonly Part[];
  const texts = parts.map((part) => {
    if (isTextPart(part)) return part.text;
    return `[${isImagePart(part) ? 'image' : 'file'} removed: the provider takes only text from tools]`;
  });
  return { ...message, content: texts.join('\n') } as Message;
}
