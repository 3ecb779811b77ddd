import { type Fields, recordsIn } from '../record.ts';

/** The usage of one step of an answer, as `usage.iterations` lists it. */
export function iterationOf(type: 'message' | 'compaction', usage: Fields): Fields {
  const { input_tokens: input, output_tokens: output, cache_creation: creation = null } = usage;
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = usage;
  return {
    type,
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cache_read_input_tokens: cached ?? 0,
    cache_creation_input_tokens: written ?? 0,
    cache_creation: creation,
  };
}

const { type: _, ...noUsage } = iterationOf('message', {});

/** The message that consists of a compaction. @param spent the usage of writing it */
export function compactionMessage(id: string, model: unknown, block: Fields, spent: Fields): Fields {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: 'compaction',
    stop_sequence: null,
    usage: { ...noUsage, iterations: [iterationOf('compaction', spent)] },
    context_management: { applied_edits: [] },
  };
}

/** The events of a stream with a block, at the beginning of a message. */
export function blockEvents(block: Fields): readonly Fields[] {
  const { type, content, encrypted_content: kept, signature } = block;
  return [
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type, content: null, encrypted_content: null, signature },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content, encrypted_content: kept } },
    { type: 'content_block_stop', index: 0 },
  ];
}

/** A message as the events of a stream. Its only block is a compaction. */
export function messageEvents(message: Fields): readonly Fields[] {
  const { content, stop_reason: reason, stop_sequence: sequence, context_management: management, usage } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, context_management: null } },
    ...blockEvents(recordsIn(content)[0]!),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: sequence },
      usage,
      context_management: management,
    },
    { type: 'message_stop' },
  ];
}
