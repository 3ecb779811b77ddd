/** The state of a summarizing engine between passes. JSON. */
export interface SummaryState {
  /** From `digestHandoff`, to recognize the handoff with the summary last written; `null` for none. */
  readonly handoffDigest: string | null;
  /** The part of the summary that cannot be rebuilt from the caller's history, such as a model's page; `null` for none. */
  readonly carriedSummary: string | null;
  /** Total number of messages dropped without a model's summary. */
  readonly droppedWithoutSummary: number;
  /** True if rules wrote the last summary because no model could. */
  readonly fallbackUsed: boolean;
}

/** The state before the first pass. */
export const initialSummaryState: SummaryState = {
  handoffDigest: null,
  carriedSummary: null,
  droppedWithoutSummary: 0,
  fallbackUsed: false,
};
