import { type Content, readHandoff } from '@palimpsest/core';
import { type Fields, recordsIn } from '../record.ts';
import type { Body } from '../wire/wire.ts';
import { itemKey, readKept, writeKept } from './kept-items.ts';

/** True for the address of `POST /responses/compact`. */
export function isCompactAddress({ pathname }: URL): boolean {
  return /\/responses\/compact\/?$/.test(pathname);
}

/**
 * The output of a compaction: the user's messages, and an item that stands for the compacted conversation.
 * @param before the items of the conversation
 * @param after the items that replace it
 */
export function compactionOutput(id: string, before: readonly Fields[], after: readonly Fields[]): readonly Fields[] {
  const messages = before.filter(({ role }) => typeof role === 'string');
  const users = messages.filter(({ role }) => role === 'user').flatMap(withoutHandoff);
  const encrypted = writeKept({ items: after, covered: [...messages, ...users].map(itemKey) });
  return [...users, { id, type: 'compaction', encrypted_content: encrypted }];
}

/** A message of the user without the handoff of an earlier compaction; nothing if it has only that. */
function withoutHandoff(item: Fields): readonly Fields[] {
  const handoff = readHandoff({ role: 'user', content: item.content as Content });
  if (!handoff) return [{ ...item, type: 'message' }];
  return handoff.rest.length === 0 ? [] : [{ ...item, type: 'message', content: handoff.rest }];
}

/**
 * Puts the compacted conversation in place of the last compaction item that {@link compactionOutput} wrote, and of what it
 * covers. Messages that a client added in front of it stay, such as its newest instructions.
 * @returns `null` without such an item
 */
export function restoreItem(body: Body): Body | null {
  const items = recordsIn(body.input);
  const at = items.findLastIndex((item) => readItem(item) !== null);
  if (at < 0) return null;
  const { items: kept, covered } = readItem(items[at]!)!;
  const known = new Set(covered);
  const isNew = (item: Fields): boolean =>
    (item.role === 'system' || item.role === 'developer' || item.role === 'user') && !known.has(itemKey(item));
  return { ...body, input: [...items.slice(0, at).filter(isNew), ...kept, ...items.slice(at + 1)] };
}

function readItem({ type, encrypted_content: content }: Fields): ReturnType<typeof readKept> {
  return type === 'compaction' ? readKept(content) : null;
}
