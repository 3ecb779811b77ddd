/** What a failed model call was about. */
export type ProviderErrorKind =
  /** The prompt has more tokens than may be sent. */
  | 'context-overflow'
  /** More output was asked for than the model writes, or than the window leaves beside this prompt. */
  | 'output-cap'
  /** The request has too many bytes, however many tokens that is. */
  | 'payload-too-large'
  /** An image has too many bytes or pixels, or there are too many images. */
  | 'image-too-large'
  | 'rate-limit'
  /** Key, permission, plan or balance. */
  | 'access'
  /** The provider failed or is overloaded. */
  | 'server'
  /** The provider was not reached, or the connection broke. */
  | 'network'
  | 'cancelled'
  /** The request is wrong in another way; sent again it fails again. */
  | 'invalid-request'
  | 'unknown';

/** What exactly it was about, where that changes what helps. */
export type ProviderErrorSubject =
  /** `context-overflow`: a limit of the plan (tokens per minute, long-context pricing), not of the model's window. */
  | 'plan'
  /** `invalid-request`: the model does not exist or is not offered. */
  | 'model'
  /** `invalid-request`: a tool message must hold plain text, and holds a list of parts or an image. */
  | 'tool-content'
  /** `invalid-request`: reasoning sent back to the provider (a signature, encrypted content, a lone item) is not accepted. */
  | 'reasoning'
  /** `network` or `server`: no answer in time. */
  | 'timeout'
  /** `network`: the connection was closed before the answer was complete. */
  | 'closed'
  /** `unknown`: an answer came, but it is not JSON. */
  | 'not-json';

/**
 * A failed model call, classified. Every figure is one the provider states; `null` where it states none. Contains no
 * text of the provider, because that may quote the conversation or a key.
 */
export interface ProviderError {
  readonly kind: ProviderErrorKind;
  readonly about: ProviderErrorSubject | null;
  /** HTTP status: the response's own, or the one an error body names. */
  readonly status: number | null;
  /** The provider's error code, such as `context_length_exceeded`, when it is a plain word. */
  readonly code: string | null;
  /** Tokens of the window, prompt and answer together, or of the longest prompt. */
  readonly limitTokens: number | null;
  /** Tokens of the refused prompt. A lower bound ("at least 769 tokens") is not reported. */
  readonly promptTokens: number | null;
  /** The most output tokens that would be accepted with this prompt. */
  readonly outputTokens: number | null;
  /** The most tokens one request may have under the plan, where `about` is `plan`. */
  readonly planTokens: number | null;
  /** Bytes a request, or an image, may have. */
  readonly limitBytes: number | null;
  /** Pixels an image may have along its longer side. */
  readonly limitPixels: number | null;
  /** How long the provider asks to wait. Milliseconds. */
  readonly retryAfterMs: number | null;
}

/** What the caller knows of the refused request. Decides about errors that do not say what is wrong. */
export interface RequestSize {
  /** Tokens of the prompt, counted or estimated. */
  readonly promptTokens?: number | undefined;
  /** The model's window in tokens; 0 or absent when unknown. */
  readonly contextLength?: number | undefined;
}
