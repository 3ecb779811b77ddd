/** What a folding engine remembers between passes. Plain JSON. */
export interface FoldState {
  /** The summary as last written, used to recognize its handoff; `null` for none. */
  readonly previousSummary: string | null;
  /**
   * The part of the summary that cannot be written again from the caller's history: what a model wrote. `null` for none.
   * Absent: all of it, as in states of older versions.
   */
  readonly carriedSummary?: string | null | undefined;
  /** Messages dropped without a model's summary, in all passes together. */
  readonly droppedWithoutSummary: number;
  /** True if the last summary was written by rules, because no model could. */
  readonly fallbackUsed: boolean;
}

/** The state before the first pass. */
export const initialFoldState: FoldState = { previousSummary: null, droppedWithoutSummary: 0, fallbackUsed: false };

/** A fold state in which the summary may be absent, as in states of older versions. */
export type KnownFoldState = Omit<FoldState, 'previousSummary'> & {
  readonly previousSummary?: string | null | undefined;
};
