import { wireNamed } from '@palimpsest/formats/wire';
import { AnthropicStream } from './anthropic-stream.ts';
import { anthropicTurn } from './anthropic-turn.ts';
import { combineUsage } from './combine-usage.ts';
import { type Fields, fieldsIn, type RecallFormat, wordsOf } from './recall-format.ts';

/** Anthropic Messages. */
export const anthropicFormat: RecallFormat = {
  declaration: (schema) => ({ ...wireNamed('anthropic').declareTool(schema) }),
  obstacle: () => null,
  noCalls: { type: 'none' },
  turnsIn: (list) => list.flatMap(({ role }, at) => (role === 'assistant' ? [[at, at + 1] as const] : [])),
  keyOf(items) {
    const blocks = items.flatMap(({ content }) => blocksOf(content));
    const words = blocks.map(({ type, text }) => (type === 'text' ? wordsOf(text) : '')).join('');
    return `${words}|${blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])).join(' ')}`;
  },
  results: (calls) => [{ role: 'user', content: calls.map(({ id, answer }) => resultBlock(id, answer)) }],
  // All results of a turn have to be at the beginning of one message.
  joinResults([result], next) {
    if (next?.role !== 'user') return null;
    return { ...next, content: [...blocksOf(result?.content), ...blocksOf(next.content)] };
  },
  readWhole: ({ content, stop_reason: reason }, isOwn) => anthropicTurn(fieldsIn(content), reason, isOwn),
  mergeWhole(replies, turns) {
    const last = replies.at(-1)!;
    const content = turns.flatMap(({ visible }) => visible.flatMap((message) => fieldsIn(message.content)));
    const reason = last.stop_reason === 'tool_use' && !turns.at(-1)!.hasHostCalls ? 'end_turn' : last.stop_reason;
    const usage = replies.map((reply) => reply.usage).reduce(combineUsage, undefined);
    return { ...last, id: replies[0]!.id, content, stop_reason: reason, usage };
  },
  openStream: (isOwn) => new AnthropicStream(isOwn),
};

function resultBlock(id: string, answer: string): Fields {
  return { type: 'tool_result', tool_use_id: id, content: answer };
}

function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return fieldsIn(content);
}
