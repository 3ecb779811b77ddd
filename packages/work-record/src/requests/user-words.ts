import { contentText, type EngineHost, requestContent } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { redactedMessage } from '@palimpsest/salience';

/** What a person typed in one message, without harness text or documents beside it. Redacted. */
export interface UserWords {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
  /** True for the current request, which stays in the transcript verbatim. */
  readonly carried: boolean;
}

/** All words of the user in a transcript, in order. Handoffs, harness text and documents in user messages are left out. */
export function userWords(transcript: Transcript, host: EngineHost): UserWords[] {
  const { request } = transcript;
  return transcript.messages.flatMap((message, index) => {
    if (!transcript.isRequest(index)) return [];
    const own = requestContent(message, host.reader);
    const bare = own === message.content ? message : { ...message, content: own };
    // If the default rules find no words of a person, the host's own recognizer is trusted.
    const { said } = host.reader.separateSpeech(message);
    const text = contentText(redactedMessage(said ?? bare, host).content).trim();
    const carried = request !== null && index >= request.from && index < request.to;
    return text === '' ? [] : [{ index, text, carried }];
  });
}
