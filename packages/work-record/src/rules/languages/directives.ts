/**
 * How a language states lasting instructions, as sources of regular expressions that match lower-case text. To keep
 * matching linear, an unbounded repetition contains no other, and gaps between words are bounded.
 */
export interface Directives {
  /** At the start of a sentence or clause, where a verb is an imperative and a quantifier starts a general statement. */
  readonly opening: readonly string[];
  /** Anywhere in a sentence that is not a report; whole words, if the script divides words. */
  readonly within: readonly string[];
  /** Marks of a report or question: the speaker or a failing thing as the subject, or the past tense. */
  readonly reports: readonly string[];
}
