import {
  type Content,
  contentText,
  isTextPart,
  isToolResult,
  type Message,
  type Part,
  type ToolCall,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { PartPool } from '../content.ts';
import { pictureOf } from '../picture.ts';
import { fieldsIn, fieldsOf } from '../record.ts';
import { idField } from '../unnamed-calls.ts';
import { callsOf, inputObject } from '../write-message.ts';
import { isSigned } from './part.ts';

/**
 * Google's signature for calls that no Gemini model made. Without any, Gemini 3 refuses the calls of the current turn.
 * Source: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const foreignSignature = 'skip_thought_signature_validator';

/** Writes a core message that has no native counterpart. @param names tool names by call id */
export function writeParts(message: Message, pool: PartPool, names: ReadonlyMap<string, string>): readonly Part[] {
  if (isToolResult(message)) {
    const id = message.tool_call_id ?? '';
    const name = names.get(id) ?? message.name ?? 'tool';
    const media = Array.isArray(message.content) ? contentParts(mediaOf(message.content as readonly Part[]), pool) : [];
    const response = { output: contentText(message.content) };
    return [
      native({ functionResponse: { ...idField(id), name, response, ...(media.length > 0 && { parts: media }) } }),
    ];
  }
  const calls = callsOf(message).map(callPart);
  return [...contentParts(message.content, pool), ...calls];
}

function mediaOf(parts: readonly Part[]): Part[] {
  return parts.filter((part) => !isTextPart(part));
}

/** Only the first of several calls has a signature. */
function callPart(call: ToolCall, at: number): Part {
  const args = inputObject(toolCallInput(call));
  const functionCall = { ...idField(call.id), name: toolCallName(call), args };
  return native(at === 0 ? { functionCall, thoughtSignature: foreignSignature } : { functionCall });
}

/** Converts content to parts. Blank texts are left out, except for one that carries a signature. */
export function contentParts(content: Content, pool: PartPool = new PartPool([])): Part[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [native({ text: content })];
  if (!content) return [];
  return pool.restore(content as readonly Part[], toPart).filter((part) => !isBlank(part));
}

function isBlank(part: Part): boolean {
  const { text } = fieldsOf(part);
  return typeof text === 'string' && text.trim() === '' && !isSigned(part);
}

function toPart(part: Part): Part {
  if (isTextPart(part)) return native({ text: part.text });
  const picture = pictureOf(part);
  if (picture)
    return 'data' in picture
      ? native({ inlineData: { mimeType: picture.mediaType, data: picture.data } })
      : native({ fileData: { fileUri: picture.url } });
  const fields = fieldsOf(part);
  const { file_data: data, file_id: id } = fieldsIn(fields.file);
  const [, mimeType, encoded] = typeof data === 'string' ? (/^data:([^;,]{1,100});base64,(.*)$/s.exec(data) ?? []) : [];
  if (mimeType !== undefined) return native({ inlineData: { mimeType, data: encoded } });
  if (typeof id === 'string') return native({ fileData: { fileUri: id } });
  // Already a part of this API, possibly of a newer version. Its kind is the name of its field.
  const { type, ...own } = fields;
  if (isRecord(own[String(type)])) return native(own);
  return native({ text: `[${part.type}: cannot be shown here]` });
}

function native(part: object): Part {
  return part as Part;
}
