import type { FunctionToolCall, Message, ToolCall } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { Memo } from './memo.ts';
import { checkRecord, checkTexts, malformationError, type Place } from './native-error.ts';
import type { Fields } from './record.ts';

/** Reads system prompts that are not among the messages, and gives the same object as long as the prompt is the same. */
export class PromptMemo {
  readonly #memo = new Memo<Message>();

  /** @param key an object in addition to the prompt, since a string cannot be a key; `undefined` for none */
  recall(content: string, key: object | undefined): Message {
    const read = this.#memo.recall(key ? [key] : [], () => ({ role: 'system', content }));
    return read.content === content ? read : { role: 'system', content };
  }
}

/** Creates the message of an answer. */
export function assistantMessage(
  content: Message['content'],
  calls: readonly ToolCall[],
  thoughts: readonly unknown[],
): Message {
  return {
    role: 'assistant',
    content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n\n') }),
  };
}

/**
 * Reads the call of a function whose input is a JSON value.
 * @param what names the block and its field in an error, such as `tool_use whose input`
 * @throws {PalimpsestError} `MESSAGES_INVALID` for an input that is no JSON, such as a cycle
 */
export function functionCall({ id, name, input }: Fields, place: Place, what: string): FunctionToolCall {
  try {
    const written = jsonText(input ?? {}) ?? '{}';
    return { id: id as string, type: 'function', function: { name: name as string, arguments: written } };
  } catch {
    throw malformationError(place, 'content', `contains a ${what} cannot be written as JSON`);
  }
}

/** Fields that must be strings, by the type of their part. */
export type TextFields = Readonly<Record<string, readonly string[]>>;

/** The fields of a type that must be strings. */
export function textsOf(texts: TextFields, type: unknown): readonly string[] {
  const name = String(type);
  return Object.hasOwn(texts, name) ? texts[name]! : [];
}

/** Throws unless a value is a part with a type. @param path of the part in its message */
export function checkPart(part: unknown, place: Place, path: string, texts: TextFields): Fields {
  checkRecord(part, place, path);
  checkTexts(part, ['type', ...textsOf(texts, part.type)], place, `${path}.`);
  return part;
}
