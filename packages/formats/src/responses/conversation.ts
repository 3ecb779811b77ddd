/**
 * The conversation part of an OpenAI Responses request. Structurally typed: `ResponseCreateParams`, whole or in part, is
 * accepted without a cast and returned as the same type.
 */
export interface ResponsesConversation {
  /** The top-level system prompt. */
  readonly instructions?: string | null | undefined;
  readonly input?: string | readonly ResponsesItem[] | undefined;
  /** Id of the response this request continues. The provider stores the messages before it. */
  readonly previous_response_id?: string | null | undefined;
  /** The stored conversation this request continues. */
  readonly conversation?: string | { readonly id: string } | null | undefined;
}

/** An input item of any type, including unknown ones. Without a type it is a message. */
export interface ResponsesItem {
  readonly type?: string | null | undefined;
}
