/** The conversation part of a request to Ollama's `/api/chat`. Structurally typed: messages of the package `ollama` fit, with pictures in base64. */
export interface OllamaConversation {
  readonly messages: readonly OllamaMessage[];
}

/** A message of Ollama's API. */
export interface OllamaMessage {
  readonly role: string;
  readonly content?: string | undefined;
  /** What the model thought before it wrote `content`. */
  readonly thinking?: string | undefined;
  /** Pictures in base64. */
  readonly images?: readonly string[] | undefined;
  readonly tool_calls?: readonly OllamaToolCall[] | undefined;
  /** The tool that a result is from. */
  readonly tool_name?: string | undefined;
  /** The call that a result answers. Older versions know none. */
  readonly tool_call_id?: string | undefined;
}

/** A call. Only newer versions of Ollama give it an id. */
export interface OllamaToolCall {
  readonly id?: string | undefined;
  readonly function: { readonly name: string; readonly arguments: object };
}
