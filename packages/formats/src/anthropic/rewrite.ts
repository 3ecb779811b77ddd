import { type Message, type Part, toolCallInput, toolCalls } from '@palimpsest/core';
import { inputObject } from '../call-input.ts';
import { PartPool, sameContent, textOf } from '../content.ts';
import { fieldsOf } from '../record.ts';
import type { AnthropicBlock } from './conversation.ts';
import { isSaid, isThought } from './decode.ts';
import { contentBlocks } from './write.ts';

/**
 * The blocks of one core message after an edit. Blocks the edit does not touch are the same objects; a result keeps its
 * id, error flag and cache mark.
 */
export function rewriteBlocks(
  blocks: string | readonly AnthropicBlock[],
  before: Message,
  after: Message,
): string | readonly AnthropicBlock[] {
  if (typeof blocks === 'string')
    return typeof after.content === 'string' ? after.content : contentBlocks(after.content);
  const [first] = blocks;
  if (first?.type === 'tool_result') return [rewriteResult(first, before, after)];
  const said = sameContent(before.content, after.content) ? null : rewriteSaid(blocks.filter(isSaid), before, after);
  const thoughtsGone = Boolean(before.reasoning_content) && !after.reasoning_content;
  const calls = new Map(toolCalls(after).map((call, at) => [at, toolCallInput(call)]));
  const rewritten: AnthropicBlock[] = [];
  let call = 0;
  let saidAt = said === null ? -1 : blocks.findIndex(isSaid);
  // A text for a message that had none goes behind its thoughts, before its calls.
  if (said !== null && saidAt < 0) saidAt = blocks.filter(isThought).length;
  blocks.forEach((block, at) => {
    if (at === saidAt) rewritten.push(...said!);
    if (isThought(block)) {
      if (!thoughtsGone) rewritten.push(block);
    } else if (block.type === 'tool_use') {
      const input = toolCallInput(toolCalls(before)[call]!);
      rewritten.push(rewriteCall(block, input, calls.get(call) ?? input));
      call++;
    } else if (said === null) {
      rewritten.push(block);
    }
  });
  if (said !== null && saidAt >= blocks.length) rewritten.push(...said);
  return rewritten;
}

function rewriteSaid(said: readonly AnthropicBlock[], before: Message, after: Message): readonly AnthropicBlock[] {
  if (typeof after.content !== 'string') return contentBlocks(after.content, new PartPool(said));
  const old = typeof before.content === 'string' ? before.content : said.map(textOf).join('\n');
  // What only goes on keeps its blocks, and with them the cache marks.
  if (said.length > 1 && after.content.startsWith(old))
    return [...said, ...contentBlocks(after.content.slice(old.length).trimStart())];
  const text = said.find(({ type }) => type === 'text');
  if (!text || after.content === '') return contentBlocks(after.content);
  const { citations: _, ...envelope } = fieldsOf(text);
  return [{ ...envelope, type: 'text', text: after.content } as AnthropicBlock];
}

function rewriteResult(block: AnthropicBlock, before: Message, after: Message): AnthropicBlock {
  if (sameContent(before.content, after.content)) return block;
  const { content: old } = fieldsOf(block);
  const pool = new PartPool(Array.isArray(old) ? (old as readonly Part[]) : []);
  const content = typeof after.content === 'string' ? after.content : contentBlocks(after.content, pool);
  return { ...block, content } as AnthropicBlock;
}

function rewriteCall(block: AnthropicBlock, before: string, after: string): AnthropicBlock {
  if (before === after) return block;
  return { ...block, input: inputObject(after) } as AnthropicBlock;
}
