/** The model a session talks to. */
export interface ModelInfo {
  /** The provider's name for it, such as `large-2` or `vendor/large-2`. */
  readonly id: string;
  /** The context window in tokens; 0 when unknown. */
  readonly contextLength: number;
  /** Tokens of the window kept free for the answer. */
  readonly reserveOutputTokens?: number | undefined;
}

/** True when nothing that matters to an engine differs. */
export function isSameModel(one: ModelInfo, other: ModelInfo): boolean {
  return (
    one.id === other.id &&
    one.contextLength === other.contextLength &&
    one.reserveOutputTokens === other.reserveOutputTokens
  );
}

/** What an engine may spend, derived from a model. All figures in tokens. */
export interface Budget {
  readonly contextLength: number;
  /** The window less what is reserved for the answer. */
  readonly usableTokens: number;
  /** The prompt size that triggers compression. */
  readonly thresholdTokens: number;
  /** What the protected tail may hold. */
  readonly tailTokens: number;
  /** The most a summary may hold. */
  readonly summaryTokens: number;
  /** What is odd about the options for this model, in words. */
  readonly warnings?: readonly string[] | undefined;
}

/** What a provider said one request used. Tokens. */
export interface Usage {
  /** The whole prompt, cached tokens included. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}
