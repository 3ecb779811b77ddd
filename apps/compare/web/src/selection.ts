/** The message shown in the reading pane. */
export interface Selection {
  /** Index in the transcript. */
  readonly index: number;
  /** The selected message if an engine wrote it; `index` is then the first message it replaces. */
  readonly written: { readonly engine: string; readonly at: number } | null;
}

/** The selected message, and the one that is looked at in passing. */
export interface SelectionState {
  /** Selected by click or keyboard. */
  readonly chosen: Selection;
  /** Under the pointer, or in the strip with the focus; `null` if none. */
  readonly passing: Selection | null;
}

/** The initial selection: the wanted message, or the largest one. */
export function initialSelection(blocks: readonly { readonly tokens: number }[], wanted?: number): SelectionState {
  if (wanted !== undefined && wanted < blocks.length)
    return { chosen: { index: wanted, written: null }, passing: null };
  const largest = blocks.reduce((best, { tokens }, index) => (tokens > (blocks[best]?.tokens ?? 0) ? index : best), 0);
  return { chosen: { index: largest, written: null }, passing: null };
}

/** The message to show: the one under the pointer, else the chosen one. */
export function selectionOf({ chosen, passing }: SelectionState): Selection {
  return passing ?? chosen;
}
