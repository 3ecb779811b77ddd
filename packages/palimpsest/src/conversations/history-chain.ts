import { createHash } from 'node:crypto';
import { isRecord } from '@palimpsest/core/authoring';

/**
 * A history as hashes. Each hash is of the previous hash and one message. Two histories with the same hash at an index
 * are equal up to that index. Contains no text.
 */
export type HistoryChain = readonly string[];

/**
 * Returns the chain of messages or items. Leaves out system prompts, which agents rewrite during a conversation, and
 * cache marks, which move.
 */
export function chainOf(items: readonly unknown[]): HistoryChain {
  const chain: string[] = [];
  let before = '';
  for (const item of items) {
    if (isSystem(item)) continue;
    before = createHash('sha256').update(before).update(textOf(item)).digest('base64').slice(0, 20);
    chain.push(before);
  }
  return chain;
}

/** Number of messages that two histories have in common, from the beginning. */
export function commonLength(one: HistoryChain, other: HistoryChain): number {
  // Equal hashes have equal beginnings, so the end of the common part can be found by bisection.
  let [from, to] = [0, Math.min(one.length, other.length)];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (one[middle - 1] === other[middle - 1]) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** True for a system prompt. Chains leave them out. */
export function isSystem(item: unknown): boolean {
  const role = isRecord(item) ? item.role : undefined;
  return role === 'system' || role === 'developer';
}

/** The text of a message, the same with and without a cache mark. */
function textOf(item: unknown): string {
  const plain = isRecord(item) ? { ...item, content: plainContent(item.content) } : item;
  const text = JSON.stringify(plain);
  // A replacer takes several times as long, and few messages have a mark.
  return /"(?:cache_control|cachePoint)":/.test(text) ? JSON.stringify(plain, withoutMark) : text;
}

/** A single block of text as a string: some clients turn a string into a block to put a mark on it. */
function plainContent(content: unknown): unknown {
  const [block, ...others] = Array.isArray(content) ? (content as unknown[]) : [];
  if (!isRecord(block) || others.length > 0) return content;
  return block.type === 'text' && typeof block.text === 'string' ? block.text : content;
}

function withoutMark(this: unknown, key: string, value: unknown): unknown {
  if (key === 'content' && Array.isArray(value))
    return value.filter((block) => !isRecord(block) || block.cachePoint === undefined);
  return key === 'cache_control' ? undefined : value;
}
