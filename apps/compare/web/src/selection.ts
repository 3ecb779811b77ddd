/** The message that is being read. */
export interface Selection {
  /** Index in the transcript. */
  readonly index: number;
  /** A message that an engine wrote, when that was pointed at; `index` is then the first message it stands for. */
  readonly written: { readonly engine: string; readonly at: number } | null;
}

export interface SelectionState {
  /** Chosen to stay. */
  readonly chosen: Selection;
  /** Looked at in passing. */
  readonly passing: Selection | null;
}

/** What is read before anybody chose: the largest message, where there is most to lose. */
export function chosenFirst(blocks: readonly { readonly tokens: number }[]): SelectionState {
  const largest = blocks.reduce((best, { tokens }, index) => (tokens > blocks[best]!.tokens ? index : best), 0);
  return { chosen: { index: largest, written: null }, passing: null };
}

/** What is read now: what the pointer is on, else what was chosen. */
export function selected({ chosen, passing }: SelectionState): Selection {
  return passing ?? chosen;
}
