import {
  type Content,
  isSystem,
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
import { pictureOf, pictureUrl } from '../picture.ts';
import { fieldsOf } from '../record.ts';
import { callsOf, inputObject, partsToWrite, textPart } from '../write-message.ts';
import type { AiSdkMessage, AiSdkPart } from './conversation.ts';
import { viewPart } from './media.ts';

export function roleOf(message: Message): AiSdkMessage['role'] {
  if (isSystem(message)) return 'system';
  if (isToolResult(message)) return 'tool';
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/**
 * Writes a core message that has no native counterpart as content.
 * @param names tool names by call id
 */
export function writeParts(
  message: Message,
  pool: PartPool,
  names: ReadonlyMap<string, string>,
): string | readonly AiSdkPart[] {
  const { content } = message;
  if (isToolResult(message)) {
    const toolCallId = message.tool_call_id ?? message.name ?? '';
    const toolName = names.get(toolCallId) ?? message.name ?? '';
    return [{ type: 'tool-result', toolCallId, toolName, output: outputOf(content, pool) } as AiSdkPart];
  }
  if (isSystem(message) && Array.isArray(content)) return (content as readonly Part[]).map(textOfPart).join('\n');
  const thought = message.role === 'assistant' ? message.reasoning_content : undefined;
  const calls = callsOf(message).map(callPart);
  if (typeof content === 'string' && calls.length === 0 && !thought) return content;
  const thoughts = thought ? [{ type: 'reasoning', text: thought } as AiSdkPart] : [];
  return [...thoughts, ...contentParts(content, pool), ...calls];
}

function textOfPart(part: Part): string {
  return isTextPart(part) ? part.text : '';
}

function callPart(call: ToolCall): AiSdkPart {
  const input = call.type === 'custom' ? call.custom.input : inputOf(toolCallInput(call));
  return { type: 'tool-call', toolCallId: call.id, toolName: toolCallName(call), input } as AiSdkPart;
}

/** Parses the input of a call. A string or invalid JSON is wrapped in an object: a string would mark a custom tool. */
export function inputOf(written: string): unknown {
  try {
    const input: unknown = JSON.parse(written);
    return typeof input === 'string' ? { input } : input;
  } catch {
    return inputObject(written);
  }
}

/** Converts content to parts. Blank texts are left out. */
export function contentParts(content: Content, pool: PartPool = new PartPool([], viewPart)): AiSdkPart[] {
  return partsToWrite(content, pool, toPart);
}

function toPart(part: Part): AiSdkPart {
  if (isTextPart(part)) return part.type === 'text' ? part : textPart(part.text);
  const picture = pictureOf(part);
  const fields = fieldsOf(part);
  // Already a part of this dialect, for example one that an engine serialized as JSON.
  if (part.type === 'image' && 'image' in fields) return part;
  if (picture)
    return { type: 'image', image: pictureUrl(picture), ...('data' in picture && mediaTypeOf(picture)) } as AiSdkPart;
  if (part.type === 'file' && isRecord(fields.file)) return filePart(fields.file);
  if ('data' in fields && 'mediaType' in fields) return part;
  return textPart(`[${part.type}: cannot be shown here]`);
}

function mediaTypeOf({ mediaType }: { readonly mediaType: string }): { readonly mediaType: string } {
  return { mediaType };
}

function filePart({ file_data: data, filename }: ReturnType<typeof fieldsOf>): AiSdkPart {
  if (typeof data !== 'string') return textPart('[file: cannot be shown here]');
  const found = /^data:([^;,]{1,100});base64,/.exec(data);
  const bytes = found ? data.slice(found[0].length) : data;
  const file = { type: 'file', data: bytes, mediaType: found?.[1] ?? 'application/pdf' };
  return typeof filename === 'string' ? ({ ...file, filename } as AiSdkPart) : file;
}

/** Converts the content of a tool result to the SDK's output. */
function outputOf(content: Content, pool: PartPool): unknown {
  if (typeof content === 'string') return { type: 'text', value: content };
  return { type: 'content', value: outputParts(content, pool) };
}

/** Converts content to the parts of an output. Images have other types there than in messages. */
export function outputParts(content: Content, pool: PartPool): Part[] {
  return contentParts(content, pool).map((part) => {
    if (part.type !== 'image') return part;
    const picture = pictureOf(part);
    if (!picture) return textPart('[image: cannot be shown here]');
    return ('data' in picture ? { type: 'image-data', ...picture } : { type: 'image-url', url: picture.url }) as Part;
  });
}
