import { type Message, readHandoff } from '@palimpsest/core';
import { asBlocks } from '../assemble.ts';
import { type Fields, fieldsOf, recordsIn } from '../record.ts';
import type { Body } from '../wire/wire.ts';
import { readKept, writeKept } from './kept-items.ts';

/**
 * Creates the block that stands for a compacted conversation.
 * @param text of the handoff, for servers that only read this
 * @param messages that replace the block when a client sends it back
 */
export function compactionBlock(text: string, messages: readonly Fields[]): Fields {
  return { type: 'compaction', content: text, encrypted_content: writeKept({ items: messages, covered: [] }) };
}

/**
 * Puts the compacted conversation in place of the last compaction block and all messages before it.
 * @param isForeign also for a block that somebody else wrote: its text becomes a message of the user
 * @returns `null` if the last block is not to be replaced, or if there is none
 */
export function restoreBlock(body: Body, isForeign: boolean): Body | null {
  const messages = recordsIn(body.messages);
  const at = messages.findLastIndex(({ content }) => recordsIn(content).some(isCompaction));
  if (at < 0) return null;
  const blocks = recordsIn(messages[at]!.content);
  const place = blocks.findLastIndex(isCompaction);
  const { content, encrypted_content: kept } = blocks[place]!;
  const text: Message = { role: 'user', content: String(content) };
  const items = readKept(kept)?.items ?? (isForeign || readHandoff(text) ? [fieldsOf(text)] : null);
  if (!items) return null;
  const rest = blocks.slice(place + 1);
  const newer = [...(rest.length > 0 ? [{ ...messages[at], content: rest }] : []), ...messages.slice(at + 1)];
  return { ...body, messages: joinTurns([...beforeRepeated(items, newer), ...newer]) };
}

/** A block with a summary. One without is the report of a failure, and replaces nothing. */
function isCompaction({ type, content }: Fields): boolean {
  return type === 'compaction' && typeof content === 'string' && content !== '';
}

/** The messages before the first one that the client sends again: it may keep recent messages behind a block. */
function beforeRepeated(items: readonly Fields[], newer: readonly Fields[]): readonly Fields[] {
  const ids = new Set(newer.flatMap(callIds));
  const first = items.findIndex((item) => callIds(item).some((id) => ids.has(id)));
  return first < 0 ? items : items.slice(0, first);
}

function callIds({ content }: Fields): readonly unknown[] {
  return recordsIn(content).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
}

/** Joins neighbours of one role: turns have to alternate. Results of tools come first. */
function joinTurns(messages: readonly Fields[]): readonly Fields[] {
  const joined: Fields[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role || message.role === 'system') joined.push(message);
    else joined[joined.length - 1] = { ...last, content: [...blocksOf(last!), ...blocksOf(message)] };
  }
  return joined;
}

function blocksOf({ content }: Fields): readonly unknown[] {
  return typeof content === 'string' ? asBlocks(content) : recordsIn(content);
}

/** The usage of one step of an answer, as `usage.iterations` lists it. */
export function iterationOf(type: 'message' | 'compaction', usage: Fields): Fields {
  const { input_tokens: input = 0, output_tokens: output = 0, cache_creation: creation = null } = usage;
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = usage;
  return {
    type,
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cached ?? 0,
    cache_creation_input_tokens: written ?? 0,
    cache_creation: creation,
  };
}

/** The message that consists of a compaction. @param spent the usage of writing it */
export function compactionMessage(id: string, model: unknown, block: Fields, spent: Fields): Fields {
  const { type: _, ...nothing } = iterationOf('message', {});
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: 'compaction',
    stop_sequence: null,
    usage: { ...nothing, iterations: [iterationOf('compaction', spent)] },
    context_management: { applied_edits: [] },
  };
}

/** The events of a stream with a block, at the beginning of a message. */
export function blockEvents(block: Fields): readonly Fields[] {
  const { type, content, encrypted_content: kept } = block;
  return [
    { type: 'content_block_start', index: 0, content_block: { type, content: null, encrypted_content: null } },
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
