/**
 * The conversation part of an OpenAI Responses request, structurally: `ResponseCreateParams` goes in without a cast,
 * whole or in part, and comes out as the same type.
 */
export interface ResponsesConversation {
  /** The system prompt, which stands beside the items. */
  readonly instructions?: string | null | undefined;
  readonly input?: string | readonly ResponsesItem[] | undefined;
  /** The response this request carries on; what led to it lies with the provider. */
  readonly previous_response_id?: string | null | undefined;
  /** The conversation this request carries on, likewise. */
  readonly conversation?: string | { readonly id: string } | null | undefined;
}

/** An input item of any type, known here or not; without a type it is a message. */
export interface ResponsesItem {
  readonly type?: string | null | undefined;
}
