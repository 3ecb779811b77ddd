import type { Message, MessageOutcome, Origin, Provenance } from '@palimpsest/core';
import type { Projection } from '../checkpoints/checkpoint-chain.ts';
import type { Intake } from '../intake/intake.ts';

/** One message to send, and its origin. */
export interface AssembledRow {
  readonly sent: Message;
  /** Index of the caller's message it comes from; -1 for one that was added. */
  readonly source: number;
  /** For a message that replaces others: index after the last of the caller's messages it replaces. */
  readonly coversTo: number;
  /** Index in the projection; -1 for one that was added after it. */
  readonly projected: number;
}

/** Combines the provenance of the projection with the repairs of the intake: the outcome of each of the caller's messages. */
export function combineProvenance(
  rows: readonly AssembledRow[],
  intake: Intake,
  { provenance }: Projection,
): Provenance {
  const { output, placed } = origins(rows, intake);
  const rowOf = new Map<number, number>(rows.map(({ projected }, at) => [projected, at]));
  const repaired: MessageOutcome = { kind: 'dropped', edit: -1, reasons: [{ code: 'repair' }] };
  const source: MessageOutcome[] = intake.source.map(() => repaired);
  provenance.source.forEach((outcome, index) => {
    const from = intake.from[index]!;
    if (from < 0) return;
    const at = placed.get(from);
    if (at !== undefined) {
      const isSame = rows[at]!.sent === intake.source[from];
      const reasons = 'reasons' in outcome ? outcome.reasons : [{ code: 'session' }];
      source[from] = isSame ? { kind: 'kept', at } : { kind: 'rewritten', at, edit: -1, reasons };
    } else if (outcome.kind === 'carried') {
      source[from] = { ...outcome, at: rowOf.get(outcome.at) ?? outcome.at };
    } else {
      source[from] = outcome;
    }
  });
  return { output, source };
}

/** The origin of each row, and the row of each of the caller's messages. */
function origins(
  rows: readonly AssembledRow[],
  intake: Intake,
): { readonly output: readonly Origin[]; readonly placed: ReadonlyMap<number, number> } {
  // Smallest index of the caller's messages from each row on. A message after it in the caller's order was moved up.
  const next: number[] = new Array(rows.length + 1).fill(intake.source.length);
  for (let at = rows.length - 1; at >= 0; at--)
    next[at] = rows[at]!.source < 0 ? next[at + 1]! : Math.min(next[at + 1]!, rows[at]!.source);
  let done = 0;
  const placed = new Map<number, number>();
  const output = rows.map((row, at): Origin => {
    const { source } = row;
    if (source >= 0 && source <= next[at + 1]!) {
      done = source + 1;
      placed.set(source, at);
      return row.sent === intake.source[source]
        ? { kind: 'original', from: source }
        : { kind: 'rewritten', from: source, edit: -1 };
    }
    const to = Math.max(done, Math.min(row.coversTo, next[at]!));
    const origin: Origin = { kind: 'inserted', edit: -1, covers: { from: Math.min(done, to), to } };
    done = to;
    if (source >= 0) placed.set(source, at);
    return origin;
  });
  return { output, placed };
}
