import type { Message } from './message.ts';
import { originalOf } from './originals.ts';
import { separateSpeech } from './speech.ts';

/** Decides whether a user message is a person's request rather than an artifact of the harness. */
export type RequestRecognizer = (message: Message, index: number, messages: readonly Message[]) => boolean;

/**
 * The default of `host.isRequest`: true when the message contains a person's words. Blank messages, handoffs (ours and
 * other systems'), interrupts, command echoes, tool output, documents, todo snapshots and nudges are not requests; a
 * person's short "continue" is. A message that a plan has rewritten is judged by its original.
 */
export const isRequest: RequestRecognizer = (message) => separateSpeech(originalOf(message)).said !== null;

/** Wraps a recognizer so that it judges rewritten messages by their originals. */
export function judgingOriginals(recognize: RequestRecognizer): RequestRecognizer {
  return recognize === isRequest
    ? isRequest
    : (message, index, messages) => recognize(originalOf(message), index, messages);
}
