/** Why a model call failed. */
export type ProviderErrorKind =
  /** The prompt has more tokens than allowed. */
  | 'context-overflow'
  /** More output was requested than the model can write, or than fits into the window with this prompt. */
  | 'output-cap'
  /** The request has too many bytes, regardless of its tokens. */
  | 'payload-too-large'
  /** An image has too many bytes or pixels, or there are too many images. */
  | 'image-too-large'
  | 'rate-limit'
  /** The key, permission, plan or balance does not allow the call. */
  | 'access'
  /** The provider failed or is overloaded. */
  | 'server'
  /** The provider was not reached, or the connection broke. */
  | 'network'
  | 'cancelled'
  /** The request is invalid for another reason. Sending it again fails again. */
  | 'invalid-request'
  | 'unknown';

/** The specific cause of a failure, where it changes what the caller should do. */
export type ProviderErrorSubject =
  /** `context-overflow`: a limit of the plan (tokens per minute, long-context pricing), not of the model's window. */
  | 'plan'
  /** `invalid-request`: the model does not exist or is not offered. */
  | 'model'
  /** `invalid-request`: a message's content, mostly of a tool result, must be plain text, but is a list of parts or an image. */
  | 'tool-content'
  /** `invalid-request`: reasoning (a signature, encrypted content, a lone item) is not accepted back. */
  | 'reasoning'
  /** `network` or `server`: no answer in time. */
  | 'timeout'
  /** `network`: the connection was closed before the answer was complete. */
  | 'closed'
  /** `unknown`: the answer is not JSON. */
  | 'not-json';

/**
 * A classified failure of a model call. Figures that the provider does not state are `null`. Contains no message of the
 * provider, because it may quote the conversation or a key.
 */
export interface ProviderError {
  readonly kind: ProviderErrorKind;
  readonly about: ProviderErrorSubject | null;
  /** HTTP status of the response, or the one named in the error body. */
  readonly status: number | null;
  /** The provider's error code, such as `context_length_exceeded`, when it is a plain word. */
  readonly code: string | null;
  /** Limit in tokens: of the window (prompt and answer together), or of the prompt alone. */
  readonly limitTokens: number | null;
  /** Tokens of the refused prompt. A lower bound ("at least 769 tokens") is not reported. */
  readonly promptTokens: number | null;
  /** The most output tokens that would be accepted with this prompt. */
  readonly outputTokens: number | null;
  /** The most tokens the plan allows in one request, when `about` is `plan`. */
  readonly planTokens: number | null;
  /** Maximum bytes of a request or an image. */
  readonly limitBytes: number | null;
  /** Maximum pixels along the longer side of an image. */
  readonly limitPixels: number | null;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** Size of the refused request. Used to classify errors that give no reason. */
export interface RequestSize {
  /** Tokens of the prompt, counted or estimated. */
  readonly promptTokens?: number | undefined;
  /** The model's window in tokens; 0 or absent when unknown. */
  readonly contextLength?: number | undefined;
}
