import type { EngineView } from './worker/runner.ts';

/** The message shown in the reading pane. */
export interface Selection {
  /** Index in the transcript. */
  readonly index: number;
  /** The selected message if an engine wrote it; `index` is then the first message it replaces. */
  readonly written: { readonly engine: string; readonly at: number } | null;
}

/** The selected message, and the one that is looked at in passing. */
export interface SelectionState {
  /** Index of the message that is shown first. */
  readonly first: number;
  /** Selected by click or keyboard. */
  readonly chosen: Selection;
  /** Under the pointer, or in the strip with the focus; `null` if none. */
  readonly passing: Selection | null;
}

/**
 * The initial selection: the wanted message, or the first one that an engine changed.
 * @param order the messages in the order in which they are worth showing
 */
export function initialSelection(
  order: readonly number[],
  views: readonly (EngineView | null)[] = [],
  wanted?: number,
): SelectionState {
  const isChanged = (index: number): boolean =>
    views.some((view) => (view?.outcomes[index]?.look ?? 'kept') !== 'kept');
  const first = order.find(isChanged) ?? order[0] ?? 0;
  const index = wanted !== undefined && wanted < order.length ? wanted : first;
  return { first, chosen: { index, written: null }, passing: null };
}

/** The message to show: the one under the pointer, else the chosen one. */
export function selectionOf({ chosen, passing }: SelectionState): Selection {
  return passing ?? chosen;
}
