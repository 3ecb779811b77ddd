import { contentText, type Message } from '@palimpsest/core';

/** Returns the indices of the messages that contain one of the phrases. */
export function pinnedMessages(messages: readonly Message[], phrases: readonly string[]): number[] {
  if (phrases.length === 0) return [];
  return [...messages.keys()].filter((index) => {
    const text = contentText(messages[index]!.content);
    return phrases.some((phrase) => text.includes(phrase));
  });
}
