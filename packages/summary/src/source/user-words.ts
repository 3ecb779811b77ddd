import { contentText, type EngineHost, requestContent, type Transcript } from '@palimpsest/core';
import { redactedMessage } from './redacted-message.ts';

/** What a person said in one message. Redacted. */
export interface UserWords {
  /** The message's place in the transcript. */
  readonly index: number;
  readonly text: string;
  /** True for the current request, which stands behind every summary word for word. */
  readonly carried: boolean;
}

/** Everything people said in a transcript, in order: requests the host takes for real, without handoffs before them. */
export function userWords(transcript: Transcript, host: EngineHost): UserWords[] {
  const { request } = transcript;
  return transcript.messages.flatMap((message, index) => {
    if (message.role !== 'user' || !host.isRequest(message, index, transcript.messages)) return [];
    const own = requestContent(message);
    const bare = own === message.content ? message : { ...message, content: own };
    const text = contentText(redactedMessage(bare, host).content).trim();
    return text === ''
      ? []
      : [{ index, text, carried: request !== null && index >= request.from && index < request.to }];
  });
}
