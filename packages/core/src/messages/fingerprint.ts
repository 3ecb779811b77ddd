import { digest, hash } from '../json/checksum.ts';
import { jsonText } from '../json/json-text.ts';
import type { Message } from './message.ts';

/**
 * Returns a fingerprint of the first `length` messages. Messages with equal JSON have equal fingerprints. Memoized per
 * message object, so that only new messages of a growing transcript are hashed. An object is hashed again if its `content`
 * or its `tool_calls` were replaced. A change inside them is not noticed.
 */
export function fingerprint(messages: readonly Message[], length: number = messages.length): string {
  let state = 0x811c9dc5;
  for (let index = 0; index < length; index++) {
    const own = hashOf(messages[index]!);
    state = Math.imul(state ^ own, 0x01000193);
    state ^= state >>> 13;
  }
  return digest(state, length);
}

interface Memo {
  readonly content: unknown;
  readonly calls: unknown;
  readonly hash: number;
}

// A pure cache.
const memos = new WeakMap<Message, Memo>();

function hashOf(message: Message): number {
  const memo = memos.get(message);
  if (memo && memo.content === message.content && memo.calls === message.tool_calls) return memo.hash;
  const { content } = message;
  const isText = typeof content === 'string';
  const rest = jsonText([
    message.role,
    message.name,
    message.tool_call_id,
    isText || { content },
    message.tool_calls,
    message.function_call,
  ]);
  // Long text is hashed separately, to avoid a quoted copy. `true` unambiguously stands for it.
  const computed = isText ? hash(content, 0, content.length, hash(rest)) : hash(rest);
  memos.set(message, { content: message.content, calls: message.tool_calls, hash: computed });
  return computed;
}
