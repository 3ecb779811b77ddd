import { contentText, type EngineHost, requestContent } from '@palimpsest/core';
import { separateSpeech, type Transcript } from '@palimpsest/core/authoring';
import { redactedMessage } from '@palimpsest/salience';

/** What a person typed in one message, without harness text or documents beside it. Redacted. */
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
    if (!transcript.isRequest(index)) return [];
    const own = requestContent(message);
    const bare = own === message.content ? message : { ...message, content: own };
    // If the default rules find no words of a person, the host's own recognizer is trusted.
    const { said } = separateSpeech(message);
    const text = contentText(redactedMessage(said ?? bare, host).content).trim();
    return text === ''
      ? []
      : [{ index, text, carried: request !== null && index >= request.from && index < request.to }];
  });
}
