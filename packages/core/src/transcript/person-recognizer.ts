import type { Message } from '../messages/message.ts';
import { originalOf } from '../messages/originals.ts';
import type { MessageReader } from './message-reader.ts';

/** Decides whether a person wrote a user message. A harness wrote the text that it inserted. */
export type PersonRecognizer = (message: Message, index: number, messages: readonly Message[]) => boolean;

/** Recognizers that already judge rewritten messages by their originals. */
const judging = new WeakSet<PersonRecognizer>();

/**
 * Creates the default of `host.isFromPerson`: true when the reader finds a person's words in the message. Blank messages,
 * handoffs and text that a harness inserted, or announced in the result before it, are not a person's; a
 * short "continue" is. A message that a plan has rewritten is judged by its original.
 */
export function createPersonRecognizer(reader: MessageReader): PersonRecognizer {
  return judgingOriginals(
    (message, index, messages) => reader.separateSpeech(message).said !== null && !isAnnounced(index, messages, reader),
  );
}

/** True if one of the tool results right before a message says that the harness writes it. */
function isAnnounced(index: number, messages: readonly Message[], reader: MessageReader): boolean {
  for (let at = index - 1; messages[at]?.role === 'tool'; at--)
    if (reader.announcesText?.(originalOf(messages[at]!))) return true;
  return false;
}

/** Wraps a recognizer so that it judges rewritten messages by their originals. */
export function judgingOriginals(recognize: PersonRecognizer): PersonRecognizer {
  if (judging.has(recognize)) return recognize;
  const judge: PersonRecognizer = (message, index, messages) => recognize(originalOf(message), index, messages);
  judging.add(judge);
  return judge;
}
