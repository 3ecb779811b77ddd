import { type Content, isTextPart, isToolResult, type Message, type Part, type ToolCall } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { PartPool } from '../content.ts';
import { nativeOf } from '../marks.ts';
import { pictureOf, pictureUrl } from '../picture.ts';
import { fieldsOf } from '../record.ts';
import { callsOf } from '../write-message.ts';
import type { ResponsesItem } from './conversation.ts';
import { isItemType } from './item.ts';

const item = (fields: Readonly<Record<string, unknown>> & { readonly type: string }): ResponsesItem => fields;

/**
 * Writes a core message that has no native counterpart as items.
 * @param custom ids of the custom calls so far; their outputs have a different type
 */
export function writeItems(message: Message, pool: PartPool, custom: ReadonlySet<string> = noIds): ResponsesItem[] {
  const { role, content } = message;
  if (isToolResult(message)) {
    const callId = message.tool_call_id ?? message.name ?? '';
    const type = custom.has(callId) ? 'custom_tool_call_output' : 'function_call_output';
    return [item({ type, call_id: callId, output: writeContent(content, 'input_text', pool) })];
  }
  // `decode` put items that fit in no other message into a developer message.
  if (
    role === 'developer' &&
    Array.isArray(content) &&
    content.length > 0 &&
    (content as readonly Part[]).every(isItem)
  )
    return (content as readonly Part[]).map((part) => nativeOf(part) ?? part);
  const written: ResponsesItem[] = [];
  const text = role === 'assistant' ? 'output_text' : 'input_text';
  if (role !== 'assistant' || (content && content.length > 0))
    written.push(item({ type: 'message', role, content: writeContent(content, text, pool) }));
  return [...written, ...callsOf(message).map(writeCall)];
}

function isItem(part: Part): boolean {
  return isItemType(part.type) || isItemType(nativeOf(part)?.type ?? '') || part.type === 'item_reference';
}
const noIds: ReadonlySet<string> = new Set();

function writeCall(call: ToolCall): ResponsesItem {
  if (call.type === 'custom')
    return item({ type: 'custom_tool_call', call_id: call.id, name: call.custom.name, input: call.custom.input });
  const { name, arguments: given } = call.function;
  return item({ type: 'function_call', call_id: call.id, name, arguments: given });
}

function writeContent(content: Content, text: TextType, pool: PartPool): string | readonly Part[] {
  if (!Array.isArray(content)) return content ?? '';
  return asParts(content, text, pool);
}

type TextType = 'input_text' | 'output_text';

/** Converts parts to this dialect. @param text type of text parts: input, or output of the model */
export function asParts(parts: readonly Part[], text: TextType, pool: PartPool): Part[] {
  return pool.restore(parts, (part) => toPart(part, text));
}

function toPart(part: Part, text: TextType): Part {
  if (isTextPart(part)) return part.type === 'text' ? textPart(part.text, text) : part;
  const fields = fieldsOf(part);
  const picture = pictureOf(part);
  if (picture && part.type !== 'input_image') {
    const shown = isRecord(fields.image_url) ? fields.image_url.detail : undefined;
    return { type: 'input_image', image_url: pictureUrl(picture), detail: shown ?? 'auto' } as Part;
  }
  if (part.type === 'file' && isRecord(fields.file)) return { type: 'input_file', ...fields.file } as Part;
  if (part.type.startsWith('input_') || part.type === 'refusal') return part;
  return textPart(`[${part.type}: cannot be shown here]`, text);
}

function textPart(text: string, type: TextType): Part {
  const fields = type === 'output_text' ? { type, text, annotations: [] } : { type, text };
  return fields;
}
