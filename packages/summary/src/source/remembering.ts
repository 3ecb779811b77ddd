import type { Message } from '@palimpsest/core';

/**
 * Caches a function of a redacted message. Redacted messages are memoized and never change, so the next compaction
 * reads the same objects. Pure cache.
 */
export function memoizeByObject<Value extends object>(read: (message: Message) => Value): (message: Message) => Value {
  const memos = new WeakMap<Message, Value>();
  return (message) => {
    let value = memos.get(message);
    if (!value) memos.set(message, (value = read(message)));
    return value;
  };
}
