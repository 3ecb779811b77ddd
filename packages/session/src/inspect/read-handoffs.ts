import type { CompressResult, Inserted, Message } from '@palimpsest/core';
import { handoffLines } from './handoff-lines.ts';
import type { HandoffLine } from './inspection.ts';

/** A handoff that a plan inserts. */
export interface PlacedHandoff {
  readonly inserted: Inserted;
  /** Position of its edit in the plan. */
  readonly edit: number;
  /** Index of its message in the output of the plan. */
  readonly at: number;
  /** Half-open range of the messages that it replaces; system messages in it may have stayed. */
  readonly covers: { readonly from: number; readonly to: number };
  /** The lines of its body. */
  readonly lines: readonly HandoffLine[];
}

/**
 * Reads the handoffs of an applied plan: the lines of each, and the messages that each line comes from.
 * @param originOf translates an index in the plan's sources to one of the caller's history; -1 for no message of it.
 *   @default the same index
 */
export function readHandoffs(
  { edits, provenance }: Pick<CompressResult<Message>, 'edits' | 'provenance'>,
  originOf: (at: number) => number = (at) => at,
): PlacedHandoff[] {
  const taken = new Map<number, number>();
  return provenance.output.flatMap((origin, at): PlacedHandoff[] => {
    if (origin.kind !== 'inserted') return [];
    const edit = edits[origin.edit]!;
    const place = taken.get(origin.edit) ?? 0;
    taken.set(origin.edit, place + 1);
    if (edit.kind !== 'replace') return [];
    const inserted = edit.with[place]!;
    return [{ inserted, edit: origin.edit, at, covers: origin.covers, lines: handoffLines(inserted, originOf) }];
  });
}
