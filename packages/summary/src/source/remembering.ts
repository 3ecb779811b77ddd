import type { Message } from '@palimpsest/core';

/**
 * Caches a function of a redacted message. Redacted messages are memoized and never change, so the next compression
 * reads the same objects. Pure cache.
 */
export function remembering<Value>(read: (message: Message) => Value): (message: Message) => Value {
  const memos = new WeakMap<Message, { readonly value: Value }>();
  return (message) => {
    let memo = memos.get(message);
    if (!memo) memos.set(message, (memo = { value: read(message) }));
    return memo.value;
  };
}
