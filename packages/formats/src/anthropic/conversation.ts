/**
 * The conversation part of an Anthropic Messages request. Structurally typed: `MessageCreateParams`, whole or in part, is
 * accepted without a cast and returned as the same type.
 */
export interface AnthropicConversation {
  /** The top-level system prompt. */
  readonly system?: string | readonly AnthropicBlock[] | undefined;
  readonly messages: readonly AnthropicMessage[];
}

/** A `MessageParam`. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly AnthropicBlock[];
}

/** A content block of any type, including unknown ones. */
export interface AnthropicBlock {
  readonly type: string;
}
