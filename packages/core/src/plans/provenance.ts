import type { EditReason } from './edit.ts';

/** Where one message of the output comes from. */
export type Origin =
  | { readonly kind: 'original'; readonly from: number }
  | { readonly kind: 'rewritten'; readonly from: number; readonly edit: number }
  /** Written by an engine in place of the source messages `[covers.from, covers.to)`. */
  | {
      readonly kind: 'inserted';
      readonly edit: number;
      readonly covers: { readonly from: number; readonly to: number };
    };

/** The outcome of one source message. `at` is its index in the output, `edit` the position of its edit in the plan. */
export type MessageOutcome =
  | { readonly kind: 'kept'; readonly at: number }
  | { readonly kind: 'rewritten'; readonly at: number; readonly edit: number; readonly reasons: readonly EditReason[] }
  /** Removed, but its content is in the inserted message `at`: verbatim, or quoted as a harness message. */
  | { readonly kind: 'carried'; readonly at: number; readonly edit: number; readonly reasons: readonly EditReason[] }
  | { readonly kind: 'summarized'; readonly edit: number; readonly reasons: readonly EditReason[] }
  | { readonly kind: 'dropped'; readonly edit: number; readonly reasons: readonly EditReason[] };

/** What applying a plan did: every output message has an origin, and every source message has exactly one outcome. */
export interface Provenance {
  readonly output: readonly Origin[];
  readonly source: readonly MessageOutcome[];
}
