import type { Message } from '@palimpsest/core';

interface Memo {
  readonly text: string;
  readonly meaning: unknown;
}

/** What is cached about each message, one place per function: a weak map per function would take twice the memory. */
const memos = new WeakMap<Message, (Memo | undefined)[]>();
let places = 0;

/**
 * Caches a function of a message's text per message object, because every compression reads the same messages again.
 * Pure cache.
 */
export function rememberingText<Meaning>(
  read: (text: string, message: Message | undefined) => Meaning,
): (text: string, message: Message | undefined) => Meaning {
  const place = places++;
  return (text, message) => {
    if (!message) return read(text, message);
    let all = memos.get(message);
    if (!all) memos.set(message, (all = []));
    const known = all[place];
    if (known?.text === text) return known.meaning as Meaning;
    const meaning = read(text, message);
    all[place] = { text, meaning };
    return meaning;
  };
}
