/**
 * Patterns for lasting instructions in one language, as sources of regular expressions for lower-case text. To keep
 * matching linear, unbounded repetitions are not nested, and gaps between words are bounded.
 */
export interface Directives {
  /**
   * Patterns at the start of a sentence or clause, where a verb is an imperative and a quantifier starts a general
   * statement.
   */
  readonly opening: readonly string[];
  /** Patterns anywhere in a sentence that is not a report; whole words, if the script separates words. */
  readonly within: readonly string[];
  /** Patterns of a report or question: the speaker or something that fails as the subject, or the past tense. */
  readonly reports: readonly string[];
}
