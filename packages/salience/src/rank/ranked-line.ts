/** One line of a message with its rank. */
export interface RankedLine {
  /** Redacted. */
  readonly text: string;
  readonly tokens: number;
  /** How much keeping the line is worth per token; 0 for nothing. Comparable within one ranking. */
  readonly worth: number;
  /** True for a piece of a long line that continues where the piece before it ended. */
  readonly continues: boolean;
}
