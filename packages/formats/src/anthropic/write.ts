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
import { pictureOf } from '../picture.ts';
import { fieldsOf } from '../record.ts';
import { callsOf, inputObject, partsToWrite, textPart } from '../write-message.ts';
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
  const calls = callsOf(message).map(toolUse);
  if (calls.length === 0 && typeof message.content === 'string') return message.content;
  // Reasoning is omitted, because the provider only accepts what it has signed.
  return [...contentBlocks(message.content, pool), ...calls];
}

function toolUse(call: ToolCall): AnthropicBlock {
  const input = inputObject(toolCallInput(call));
  return { type: 'tool_use', id: legalId(call.id), name: toolCallName(call), input } as AnthropicBlock;
}

/** Replaces characters that Anthropic does not allow in ids: all except letters, digits, `_` and `-`. */
function legalId(id: string): string {
  const legal = id.replace(/[^a-zA-Z0-9_-]/g, '_');
  return legal === '' ? '_' : legal;
}

/** Converts content to blocks. Blank texts are left out. */
export function contentBlocks(content: Content, pool: PartPool = new PartPool([])): AnthropicBlock[] {
  return partsToWrite(content, pool, toBlock);
}

function toBlock(part: Part): AnthropicBlock {
  if (isTextPart(part)) return part.type === 'text' ? part : textPart(part.text);
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
  return textPart(typeof refusal === 'string' ? refusal : `[${part.type}: cannot be shown here]`);
}
