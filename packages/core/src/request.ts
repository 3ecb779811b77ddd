import type { Message } from './message.ts';
import { originalOf } from './originals.ts';
import { separateSpeech } from './speech.ts';

/** Decides whether a user message is something a person wants, and not an artefact of the harness. */
export type RequestRecognizer = (message: Message, index: number, messages: readonly Message[]) => boolean;

/**
 * The default of `host.isRequest`: true when a person says something in the message. Blanks, handoffs (ours and other
 * systems'), interrupts, command echoes, tool output, documents, todo snapshots and nudges are no requests; a short
 * "continue" of a person is one. A message that a plan has rewritten is judged by what it was before.
 */
export const isRequest: RequestRecognizer = (message) => separateSpeech(originalOf(message)).said !== null;

/** The recognizer with messages that a plan has rewritten judged by what they were before. */
export function judgingOriginals(recognize: RequestRecognizer): RequestRecognizer {
  return recognize === isRequest
    ? isRequest
    : (message, index, messages) => recognize(originalOf(message), index, messages);
}
