/**
 * The conversation that is passed to the AI SDK's `generateText` and `streamText`. Structurally typed: `ModelMessage[]` is
 * accepted without a cast and returned as the same type.
 */
export interface AiSdkConversation {
  /** The system prompt, unless it is among the messages. */
  readonly system?: string | AiSdkMessage | readonly AiSdkMessage[] | undefined;
  readonly messages: readonly AiSdkMessage[];
}

/** A `ModelMessage`. */
export interface AiSdkMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly AiSdkPart[];
}

/** A part of any type, including unknown ones. */
export interface AiSdkPart {
  readonly type: string;
}
