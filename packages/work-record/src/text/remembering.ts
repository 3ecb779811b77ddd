import type { Message } from '@palimpsest/core';

/**
 * Caches a function of a message's text per message object, because every compression reads the same messages again.
 * Pure cache.
 */
export function rememberingText<Meaning>(
  read: (text: string, message: Message | undefined) => Meaning,
): (text: string, message: Message | undefined) => Meaning {
  const memos = new WeakMap<Message, { readonly text: string; readonly meaning: Meaning }>();
  return (text, message) => {
    const known = message && memos.get(message);
    if (known?.text === text) return known.meaning;
    const meaning = read(text, message);
    if (message) memos.set(message, { text, meaning });
    return meaning;
  };
}
