import type { Part } from '@palimpsest/core';
import { PartPool } from '../content.ts';
import type { BlockKind, Grammar } from '../grammar.ts';
import { fieldsOf } from '../record.ts';
import { inputObject } from '../write-message.ts';
import type { AnthropicBlock } from './conversation.ts';
import { contentBlocks } from './write.ts';

const kinds: Readonly<Record<string, BlockKind>> = {
  tool_use: 'call',
  tool_result: 'result',
  thinking: 'thought',
  redacted_thinking: 'thought',
};

/** Returns the kind of a block. Unknown types count as content. */
export function kindOf({ type }: AnthropicBlock): BlockKind {
  return Object.hasOwn(kinds, type) ? kinds[type]! : 'said';
}

export const anthropicGrammar: Grammar = {
  kindsOf: (blocks) => blocks.map(kindOf),
  contentBlocks,
  poolOf: (blocks) => new PartPool(blocks),
  withInput: (call, written) => ({ ...call, input: inputObject(written) }) as Part,
  withContent(result, content) {
    const { content: old } = fieldsOf(result);
    const pool = new PartPool(Array.isArray(old) ? (old as readonly Part[]) : []);
    return { ...result, content: typeof content === 'string' ? content : contentBlocks(content, pool) } as Part;
  },
};
