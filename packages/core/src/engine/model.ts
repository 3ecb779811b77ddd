/** The model that a session uses. */
export interface ModelInfo {
  /** The provider's name for it, such as `large-2` or `vendor/large-2`. */
  readonly id: string;
  /** The context window in tokens; 0 when unknown. */
  readonly contextLength: number;
  /**
   * The most tokens of a prompt, where a provider limits it below the window, such as 272,000 of 400,000.
   * @default the window
   */
  readonly maxInputTokens?: number | undefined;
  /** Tokens of the window kept free for the answer. */
  readonly reserveOutputTokens?: number | undefined;
}

/**
 * Returns the model as engines see it: with the window that prompts may use. What lies beyond it can be used only by the
 * answer, so that much less is reserved for it.
 */
export function promptModel(model: ModelInfo): ModelInfo {
  const { maxInputTokens, ...rest } = model;
  const beyond = model.contextLength - (maxInputTokens ?? model.contextLength);
  if (!(beyond > 0)) return maxInputTokens === undefined ? model : rest;
  const reserve = model.reserveOutputTokens;
  return {
    ...rest,
    contextLength: model.contextLength - beyond,
    ...(reserve === undefined ? {} : { reserveOutputTokens: Math.max(0, reserve - beyond) }),
  };
}

/** True if all fields that matter to an engine are equal. */
export function isSameModel(one: ModelInfo, other: ModelInfo): boolean {
  return (
    one.id === other.id &&
    one.contextLength === other.contextLength &&
    one.reserveOutputTokens === other.reserveOutputTokens
  );
}

/** The window assumed when a model's window is not known, in tokens. A medium-sized one is the safest guess. */
export const assumedWindow = 128_000;

/** The window assumed, in tokens, where a guess that is too large would do harm and one that is too small only costs something. */
export const minAssumedWindow = 16_000;

/** The limits of an engine, derived from a model. All numbers are in tokens. */
export interface Budget {
  readonly contextLength: number;
  /** The window minus the tokens reserved for the answer. */
  readonly usableTokens: number;
  /** The prompt size that triggers compaction. */
  readonly thresholdTokens: number;
  /**
   * Upper limit of the threshold. The engine raises the threshold up to this if a compaction leaves too little room.
   * @default 0.85 of the window, at most `usableTokens`
   */
  readonly maxThresholdTokens?: number | undefined;
  /** Maximum size of the protected tail. */
  readonly tailTokens: number;
  /** Maximum size of a summary. */
  readonly summaryTokens: number;
  /** Warnings for a user about the options with this model. */
  readonly warnings?: readonly string[] | undefined;
}
