/**
 * How a language says that something is to be done, or not to be done, beyond the moment: sources of regular
 * expressions that read lower case. What is repeated without end repeats nothing inside without end, and what may stand
 * between two words is bounded.
 */
export interface Directives {
  /** At the beginning of a sentence or clause, where a verb is an order and a quantifier speaks of all of a kind. */
  readonly opening: readonly string[];
  /** Anywhere in a sentence that reports nothing, as whole words where the script divides words. */
  readonly within: readonly string[];
  /** What reports, tells or asks: whose subject is the speaker or a thing that misbehaves, or that lies in the past. */
  readonly reports: readonly string[];
}
