/** What a provider's refusal is about. */
export type FailureClass =
  /** The prompt holds more tokens than the model reads. */
  | 'context-overflow'
  /** More output was asked for than the model writes, or than the window leaves beside this prompt. */
  | 'output-cap'
  /** The request is too many bytes, whatever it comes to in tokens. */
  | 'payload-too-large'
  /** A picture has too many bytes or pixels, or there are too many. */
  | 'image-too-large'
  | 'rate-limit'
  /** Key, permission, plan or balance. */
  | 'access'
  | 'server'
  | 'network'
  | 'cancelled'
  | 'invalid-request'
  | 'unknown';

/** What a session does about it. `none`: the error is the caller's to handle, and nothing is compressed. */
export type FailureAction = 'compress' | 'lower-output' | 'strip-media' | 'none';

/** A provider's refusal, classified. Every figure is the provider's own; what it does not say is `null`. No text of it is kept. */
export interface ProviderFailure {
  readonly class: FailureClass;
  readonly action: FailureAction;
  /** HTTP status. */
  readonly status: number | null;
  /** Tokens of the window, prompt and answer together. */
  readonly limitTokens: number | null;
  /** Tokens of the refused prompt. */
  readonly promptTokens: number | null;
  /** The most output tokens that would be accepted with this prompt. */
  readonly outputTokens: number | null;
  /** Bytes a request, or a picture, may have. */
  readonly limitBytes: number | null;
  /** Pixels a picture may have along its longer side. */
  readonly limitPixels: number | null;
}

/** What helps to judge a refusal that says little. */
export interface FailureContext {
  /** Estimated tokens of the refused prompt. */
  readonly promptTokens?: number | undefined;
  /** The window of the model, in tokens. */
  readonly contextLength?: number | undefined;
}
