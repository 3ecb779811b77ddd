import type { Message } from '@palimpsest/core';

/** What the functions below read from a message, by the number of the function. */
type Readings = ({ readonly text: string; readonly meaning: unknown } | undefined)[];

const memos = new WeakMap<Message, Readings>();
let functions = 0;

/**
 * Caches a function of a message's text per message object, because every compression reads the same messages again.
 * Pure cache.
 */
export function rememberingText<Meaning>(
  read: (text: string, message: Message | undefined) => Meaning,
): (text: string, message: Message | undefined) => Meaning {
  const number = functions++;
  return (text, message) => {
    if (!message) return read(text, message);
    let readings = memos.get(message);
    if (!readings) memos.set(message, (readings = new Array(functions)));
    const known = readings[number];
    if (known?.text === text) return known.meaning as Meaning;
    const meaning = read(text, message);
    readings[number] = { text, meaning };
    return meaning;
  };
}
