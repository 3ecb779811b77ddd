import { fieldsOf } from '../record.ts';
import type { AnthropicBlock, AnthropicConversation, AnthropicMessage } from './conversation.ts';

/** The maximum number of cache breakpoints in one request. */
export const maxCacheMarks = 4;

/** Counts the blocks with `cache_control`, including those directly inside tool results. */
export function countMarks(blocks: readonly AnthropicBlock[]): number {
  return blocks.reduce((count, block) => count + [block, ...innerOf(block)].filter(hasMark).length, 0);
}

function hasMark(block: AnthropicBlock): boolean {
  return Boolean(fieldsOf(block).cache_control);
}

function innerOf(block: AnthropicBlock): readonly AnthropicBlock[] {
  const { content } = fieldsOf(block);
  return block.type === 'tool_result' && Array.isArray(content) ? (content as AnthropicBlock[]) : [];
}

/** Removes cache marks from `written`, oldest messages first, until it has no more of them than `asked`. */
export function withinMarks<Native extends AnthropicConversation>(written: Native, asked: Native): Native {
  let excess = marksIn(written) - marksIn(asked);
  if (excess <= 0) return written;
  const bare = (block: AnthropicBlock): AnthropicBlock => {
    if (excess <= 0 || !hasMark(block)) return block;
    excess--;
    const { cache_control: _, ...rest } = fieldsOf(block);
    return rest as unknown as AnthropicBlock;
  };
  const lighten = (block: AnthropicBlock): AnthropicBlock => {
    const inner = innerOf(block);
    const outer = bare(block);
    return inner.some(hasMark) ? ({ ...outer, content: inner.map(bare) } as AnthropicBlock) : outer;
  };
  const messages = written.messages.map((message): AnthropicMessage => {
    const { content } = message;
    const isMarked = excess > 0 && typeof content !== 'string' && countMarks(content) > 0;
    return isMarked ? { ...message, content: content.map(lighten) } : message;
  });
  return { ...written, messages };
}

function marksIn({ system, messages }: AnthropicConversation): number {
  const inBlocks = (content: AnthropicMessage['content'] | undefined): number =>
    content && typeof content !== 'string' ? countMarks(content) : 0;
  return messages.reduce((count, { content }) => count + inBlocks(content), inBlocks(system));
}
