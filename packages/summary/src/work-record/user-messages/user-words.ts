import { contentText, contentWithoutHandoff, type EngineHost } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { redactMessage } from '@palimpsest/pruner/salience';

/** A person's words in one message, without harness text or documents. Redacted. */
export interface UserWords {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
  /** True for the current task, which stays in the transcript verbatim. */
  readonly carried: boolean;
}

/**
 * Returns the user's words in a transcript, in order, without handoffs, harness text and documents in user messages.
 */
export function userWords(transcript: Transcript, host: EngineHost): UserWords[] {
  const { task } = transcript;
  return transcript.messages.flatMap((message, index) => {
    if (!transcript.isFromPerson(index)) return [];
    const own = contentWithoutHandoff(message, host.reader);
    const bare = own === message.content ? message : { ...message, content: own };
    // If the reader finds no words of a person, the host's own recognizer is trusted.
    const { said } = host.reader.separateSpeech(message);
    const text = contentText(redactMessage(said ?? bare, host).content).trim();
    const carried = task !== null && index >= task.from && index < task.to;
    return text === '' ? [] : [{ index, text, carried }];
  });
}
