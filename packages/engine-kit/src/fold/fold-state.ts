import type { Transcript } from '@palimpsest/core/authoring';
import type { Condensed } from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/group-range.ts';

/** What an engine that folds has to remember between passes. JSON. */
export interface FoldState {
  /** The summary as last written, used to recognize its handoff; `null` for none. */
  readonly previousSummary: string | null;
  /** Messages dropped without a model's summary, in all passes together. */
  readonly droppedWithoutSummary: number;
  /** True if the last summary was written by rules, because no model could. */
  readonly fallbackUsed: boolean;
}

/** The state before the first pass. */
export const initialFoldState: FoldState = { previousSummary: null, droppedWithoutSummary: 0, fallbackUsed: false };

/** A range that was folded into a handoff. */
export type Folded = Extract<Condensed, { readonly kind: 'written' | 'fallback' }>;

/** The state after a range was folded. */
export function stateAfterFold(
  { droppedWithoutSummary }: Pick<FoldState, 'droppedWithoutSummary'>,
  { kind, body }: Folded,
  { groups }: Transcript,
  [from, to]: GroupRange,
): FoldState {
  const dropped = kind === 'fallback' ? groups[to - 1]!.to - groups[from]!.from : 0;
  return {
    previousSummary: body,
    droppedWithoutSummary: droppedWithoutSummary + dropped,
    fallbackUsed: kind === 'fallback',
  };
}
