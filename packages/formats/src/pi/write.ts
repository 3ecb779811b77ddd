import {
  type Content,
  contentText,
  isTextPart,
  isToolResult,
  leadingSystems,
  type Message,
  type Part,
  type ToolCall,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core';
import { PartPool } from '../content.ts';
import { pictureOf } from '../picture.ts';
import { fieldsOf } from '../record.ts';
import { callsOf, inputObject, partsToWrite, textPart, toolNames } from '../write-message.ts';
import type { PiConversation, PiMessage } from './conversation.ts';

/** The other fields of a message of the model. No provider wrote it, so pi sends it as plain text. */
const unsaid = {
  api: '',
  provider: '',
  model: '',
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
} as const;

/**
 * Writes a core message that has no native counterpart; `null` for one without content.
 * @param names tool names by call id
 */
export function writeMessage(message: Message, pool: PartPool, names: ReadonlyMap<string, string>): PiMessage | null {
  const content = contentParts(message.content, pool);
  const timestamp = 0;
  if (isToolResult(message)) {
    const toolCallId = message.tool_call_id ?? message.name ?? '';
    const toolName = names.get(toolCallId) ?? message.name ?? '';
    return { role: 'toolResult', toolCallId, toolName, content, isError: false, timestamp } as PiMessage;
  }
  if (message.role !== 'assistant')
    return content.length === 0 ? null : ({ role: 'user', content, timestamp } as PiMessage);
  const calls = callsOf(message).map(callPart);
  if (content.length + calls.length === 0) return null;
  const stopReason = calls.length > 0 ? 'toolUse' : 'stop';
  return { role: 'assistant', content: [...content, ...calls], ...unsaid, stopReason, timestamp } as PiMessage;
}

function callPart(call: ToolCall): Part {
  const input = inputObject(toolCallInput(call));
  return { type: 'toolCall', id: call.id, name: toolCallName(call), arguments: input } as Part;
}

/** Converts content to parts. Blank texts are left out. */
export function contentParts(content: Content, pool: PartPool = new PartPool([])): Part[] {
  return partsToWrite(content, pool, toPart);
}

function toPart(part: Part): Part {
  if (isTextPart(part)) return part.type === 'text' ? part : textPart(part.text);
  if (part.type === 'image' && 'data' in part && 'mimeType' in part) return part;
  const picture = pictureOf(part);
  if (picture && 'data' in picture)
    return { type: 'image', data: picture.data, mimeType: picture.mediaType } as unknown as Part;
  return textPart(picture ? `[image: ${picture.url}]` : `[${part.type}: cannot be shown here]`);
}

/** Writes core messages as a new conversation. System messages at the start become the system prompt. */
export function writePi(messages: readonly Message[]): PiConversation {
  const names = toolNames(messages);
  const pool = new PartPool([]);
  const leading = messages.slice(0, leadingSystems(messages));
  const written = messages.slice(leading.length).flatMap((message) => writeMessage(message, pool, names) ?? []);
  const systemPrompt = leading.map(({ content }) => contentText(content)).join('\n\n');
  return systemPrompt === '' ? { messages: written } : { systemPrompt, messages: written };
}

/** Returns the parts of a message that has any. */
export function partsOf(message: PiMessage | undefined): readonly Part[] {
  const content = message && fieldsOf(message).content;
  return Array.isArray(content) ? (content as readonly Part[]) : [];
}
