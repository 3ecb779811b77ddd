/**
 * What the AI SDK's `generateText` and `streamText` are given, structurally: `ModelMessage[]` goes in without a cast and
 * comes out as the same type.
 */
export interface AiSdkConversation {
  /** The system prompt, when it stands beside the messages. */
  readonly system?: string | AiSdkMessage | readonly AiSdkMessage[] | undefined;
  readonly messages: readonly AiSdkMessage[];
}

/** A `ModelMessage`. */
export interface AiSdkMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly AiSdkPart[];
}

/** A part of any type, known here or not. */
export interface AiSdkPart {
  readonly type: string;
}
