import type { Message } from './message.ts';
import type { MessageReader } from './message-reader.ts';
import { originalOf } from './originals.ts';

/** Decides whether a user message is a person's request. Text inserted by a harness is not. */
export type RequestRecognizer = (message: Message, index: number, messages: readonly Message[]) => boolean;

/** Recognizers that already judge rewritten messages by their originals. */
const judging = new WeakSet<RequestRecognizer>();

/**
 * Creates the default of `host.isRequest`: true when the reader finds a person's words in the message. Blank messages,
 * handoffs and text that a harness inserted are not requests; a person's short "continue" is. A message that a plan has
 * rewritten is judged by its original.
 */
export function requestRecognizer(reader: MessageReader): RequestRecognizer {
  return judgingOriginals((message) => reader.separateSpeech(message).said !== null);
}

/** Wraps a recognizer so that it judges rewritten messages by their originals. */
export function judgingOriginals(recognize: RequestRecognizer): RequestRecognizer {
  if (judging.has(recognize)) return recognize;
  const judge: RequestRecognizer = (message, index, messages) => recognize(originalOf(message), index, messages);
  judging.add(judge);
  return judge;
}
