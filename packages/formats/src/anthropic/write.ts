import {
  type Content,
  isSystem,
  isTextPart,
  isToolResult,
  type Message,
  type Part,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { inputObject } from '../call-input.ts';
import { PartPool } from '../content.ts';
import { pictureOf } from '../picture.ts';
import { fieldsOf } from '../record.ts';
import type { AnthropicBlock, AnthropicMessage } from './conversation.ts';

export function roleOf(message: Message): AnthropicMessage['role'] {
  if (isSystem(message)) return 'system';
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/** Writes a core message that has no native counterpart as content. */
export function writeBlocks(message: Message, pool: PartPool): string | readonly AnthropicBlock[] {
  if (isToolResult(message)) {
    const content = typeof message.content === 'string' ? message.content : contentBlocks(message.content, pool);
    const answered = message.tool_call_id ?? message.name ?? '';
    return [{ type: 'tool_result', tool_use_id: legalId(answered), content } as AnthropicBlock];
  }
  const calls = toolCalls(message).map((call) => toolUse(call.id, toolCallName(call), toolCallInput(call)));
  const { function_call: legacy } = message;
  if (message.role === 'assistant' && legacy) calls.push(toolUse(legacy.name, legacy.name, legacy.arguments));
  if (calls.length === 0 && typeof message.content === 'string') return message.content;
  // Reasoning is omitted, because the provider only accepts what it has signed.
  return [...contentBlocks(message.content, pool), ...calls];
}

function toolUse(id: string, name: string, written: string): AnthropicBlock {
  return { type: 'tool_use', id: legalId(id), name, input: inputObject(written) } as AnthropicBlock;
}

/** Replaces characters that Anthropic does not allow in ids: all except letters, digits, `_` and `-`. */
function legalId(id: string): string {
  const legal = id.replace(/[^a-zA-Z0-9_-]/g, '_');
  return legal === '' ? '_' : legal;
}

/** Converts content to blocks. Leaves out blank texts, because the provider rejects them. */
export function contentBlocks(content: Content, pool: PartPool = new PartPool([])): AnthropicBlock[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [textBlock(content)];
  if (!content) return [];
  return pool
    .restore(content, toBlock)
    .filter((block) => !(isTextPart(block) && block.type === 'text' && block.text.trim() === ''));
}

function textBlock(text: string): AnthropicBlock {
  return { type: 'text', text } as AnthropicBlock;
}

function toBlock(part: Part): AnthropicBlock {
  if (isTextPart(part)) return part.type === 'text' ? part : textBlock(part.text);
  const picture = pictureOf(part);
  if (picture)
    return {
      type: 'image',
      source:
        'data' in picture
          ? { type: 'base64', media_type: picture.mediaType, data: picture.data }
          : { type: 'url', url: picture.url },
    } as unknown as AnthropicBlock;
  const { source, refusal } = fieldsOf(part);
  // Already a block of this dialect, possibly of a newer version.
  if (isRecord(source)) return part;
  return textBlock(typeof refusal === 'string' ? refusal : `[${part.type}: cannot be shown here]`);
}
