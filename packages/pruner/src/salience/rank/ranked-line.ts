/** One line of a message with its rank. */
export interface RankedLine {
  /** The redacted text of the line. */
  readonly text: string;
  readonly tokens: number;
  /** Worth of keeping the line, per token; 0 for none. Comparable only within one ranking. */
  readonly worth: number;
  /** True for a piece of a long line that continues where the piece before it ended. */
  readonly continues: boolean;
}
