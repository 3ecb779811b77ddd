/**
 * The conversation part of an Anthropic Messages request, structurally: `MessageCreateParams` goes in without a cast,
 * whole or in part, and comes out as the same type.
 */
export interface AnthropicConversation {
  /** The system prompt, which stands beside the messages. */
  readonly system?: string | readonly AnthropicBlock[] | undefined;
  readonly messages: readonly AnthropicMessage[];
}

/** A `MessageParam`. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly AnthropicBlock[];
}

/** A content block of any type, known here or not. */
export interface AnthropicBlock {
  readonly type: string;
}
