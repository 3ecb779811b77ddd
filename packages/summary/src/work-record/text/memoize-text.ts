import type { Message } from '@palimpsest/core';

/** Shorter texts are read again: that takes no longer than a look-up. Many messages of an agent are empty. Characters. */
const minLength = 20;

/**
 * Caches a function of a message's text per message object, because every compaction reads the same messages again.
 * Pure cache.
 */
export function memoizeText<Meaning>(
  read: (text: string, message: Message | undefined) => Meaning,
): (text: string, message: Message | undefined) => Meaning {
  const memos = new WeakMap<Message, { readonly text: string; readonly meaning: Meaning }>();
  return (text, message) => {
    if (text.length < minLength) return read(text, message);
    const known = message && memos.get(message);
    if (known?.text === text) return known.meaning;
    const meaning = read(text, message);
    if (message) memos.set(message, { text, meaning });
    return meaning;
  };
}
