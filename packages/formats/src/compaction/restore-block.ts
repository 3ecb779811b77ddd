import { type Message, readHandoff } from '@palimpsest/core';
import { isRecord, jsonText, writeHandoff } from '@palimpsest/core/authoring';
import { asBlocks } from '../assemble.ts';
import { type Fields, recordsIn } from '../record.ts';
import type { Body } from '../wire/wire.ts';
import { readKept, writeKept } from './kept-items.ts';

/**
 * Creates the block that stands for a compacted conversation.
 * @param text of the handoff, for servers that only read this
 * @param messages that replace the block when a client sends it back. They lose their cache marks: a request may have few
 */
export function compactionBlock(text: string, messages: readonly Fields[]): Fields {
  const kept = writeKept({ items: messages.map(withoutMarks), covered: [] });
  // Some clients send back `encrypted_content`, others `signature`.
  return { type: 'compaction', content: text, encrypted_content: kept, signature: kept };
}

/**
 * Puts the compacted conversation in place of the last compaction block and all messages before it.
 * @param options `acceptsForeign`: also for a block that another server wrote. Its text becomes an unsigned handoff
 * @returns `null` without a block to replace
 */
export function restoreBlock(
  body: Body,
  { acceptsForeign = false }: { readonly acceptsForeign?: boolean } = {},
): Body | null {
  const messages = recordsIn(body.messages);
  const at = messages.findLastIndex(({ content }) => recordsIn(content).some(isCompaction));
  if (at < 0) return null;
  const blocks = recordsIn(messages[at]!.content);
  const place = blocks.findLastIndex(isCompaction);
  const block = blocks[place]!;
  const items =
    (readKept(block.encrypted_content) ?? readKept(block.signature))?.items ?? readText(block, acceptsForeign);
  if (!items) return null;
  const rest = blocks.slice(place + 1);
  const newer = [...(rest.length > 0 ? [{ ...messages[at], content: rest }] : []), ...messages.slice(at + 1)];
  const older = withoutRepeated(items, newer);
  return { ...body, messages: joinTurns([...withMark(older, block.cache_control), ...newer]) };
}

/** A block with a summary. A block without content reports a failed compaction, and replaces nothing. */
function isCompaction({ type, content }: Fields): boolean {
  return type === 'compaction' && typeof content === 'string' && content !== '';
}

/** The text of a block as a message. An unsigned text may repeat words of a tool, and has no authority. */
function readText({ content }: Fields, acceptsForeign: boolean): readonly Fields[] | null {
  const text = String(content);
  if (isHandoff({ role: 'user', content: text })) return [{ role: 'user', content: text }];
  return acceptsForeign ? [{ role: 'user', content: writeHandoff(text) }] : null;
}

function isHandoff({ role, content }: Fields): boolean {
  return readHandoff({ role, content } as Message) !== null;
}

/** Leaves out the newest messages that the client sends again: it may keep recent messages behind a block. */
function withoutRepeated(items: readonly Fields[], newer: readonly Fields[]): readonly Fields[] {
  const [old, sent] = [items.map(wordsOf), newer.map(wordsOf)];
  const isAt = (from: number, place: number): boolean =>
    old.slice(from).every((words, offset) => words === sent[place + offset]);
  const first = old.findIndex((_, from) => isAt(from, 0));
  if (first >= 0) return items.slice(0, first);
  const [tail, task] = [items.findLastIndex(isHandoff) + 1, ownWords(items)];
  // The client kept the user's message from behind the handoff as well.
  if (task && wordsOf(task.own) === sent[0] && isAt(tail, 1)) return [...items.slice(0, tail - 1), task.handoff];
  const isWhole = tail > 0 && tail < items.length && sent.some((_, place) => isAt(tail, place));
  return isWhole ? items.slice(0, tail) : items;
}

/** The last handoff, and the user's words after it in the same message. */
function ownWords(items: readonly Fields[]): { readonly handoff: Fields; readonly own: Fields } | null {
  const message = items.findLast(isHandoff);
  const { content } = message ?? {};
  const rest = message && readHandoff(message as unknown as Message)!.rest;
  if (typeof content !== 'string' || typeof rest !== 'string' || rest === '') return null;
  const handoff = content.slice(0, content.length - rest.length).trimEnd();
  return { handoff: { ...message, content: handoff }, own: { ...message, content: rest } };
}

/** What makes a message the same, wherever its cache marks are. Old results may have been shortened. */
function wordsOf(message: Fields): string {
  const blocks = recordsIn(blocksOf(withoutMarks(message)));
  const words = blocks.map((block) => (block.type === 'tool_result' ? [block.type, block.tool_use_id] : block));
  return jsonText([message.role, words]);
}

function withoutMarks(message: Fields): Fields {
  if (!Array.isArray(message.content)) return message;
  const content = (message.content as unknown[]).map((block) => {
    if (!isRecord(block)) return block;
    const { cache_control: _, ...bare } = block;
    return block.type === 'tool_result' ? withoutMarks(bare) : bare;
  });
  return { ...message, content };
}

/** Moves the mark of a block to the end of what replaces the block. */
function withMark(messages: readonly Fields[], mark: unknown): readonly Fields[] {
  const last = messages.at(-1);
  const blocks = last && recordsIn(blocksOf(last));
  const block = blocks?.at(-1);
  // Thinking blocks must not have a cache mark.
  if (!mark || !blocks || !block || String(block.type).endsWith('thinking')) return messages;
  const content = [...blocks.slice(0, -1), { ...block, cache_control: mark }];
  return [...messages.slice(0, -1), { ...last, content }];
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
