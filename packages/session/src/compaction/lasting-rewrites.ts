import {
  apply,
  type CarriedMessage,
  type Edit,
  type Message,
  type Provenance,
  type RewriteEdit,
} from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';

/** The rewrites of the session that every plan starts from; empty without a checkpoint. */
export function lastingRewrites(base: Checkpoint | null, source: readonly Message[]): readonly Edit[] {
  return base?.lasting?.edits(source.slice(0, base.covers)) ?? [];
}

/** The repaired conversation with the lasting rewrites applied: the source of plans over the history. */
export function lastingSource(base: Checkpoint | null, source: readonly Message[]): readonly Message[] {
  return apply(source, lastingRewrites(base, source)).messages as readonly Message[];
}

/**
 * Adds rewrites of what the model sees now to the lasting ones.
 * @param rewrites relative to the projection
 * @param provenance of the projection
 * @param before the plan in effect; `after`: the same with the rewrites
 */
export function withRewrites(
  lasting: readonly Edit[],
  rewrites: readonly RewriteEdit[],
  provenance: Provenance,
  { before, after }: { readonly before: readonly Edit[]; readonly after: readonly Edit[] },
): RewriteEdit[] {
  const merged = new Map((lasting as readonly RewriteEdit[]).map((edit) => [edit.at, edit]));
  const add = (at: number, { set, reasons }: Pick<RewriteEdit, 'set' | 'reasons'>): void => {
    const earlier = merged.get(at);
    const all = { ...earlier?.set, ...set };
    merged.set(at, { kind: 'rewrite', at, set: all, reasons: [...(earlier?.reasons ?? []), ...reasons] });
  };
  const reasons = rewrites[0]?.reasons ?? [];
  for (const edit of rewrites) {
    const origin = provenance.output[edit.at]!;
    if (origin.kind !== 'inserted') add(origin.from, edit);
  }
  // A message that a handoff carries has no separate index in the projection.
  const known = readCarriedContents(before);
  for (const [at, content] of readCarriedContents(after))
    if (jsonText(known.get(at)) !== jsonText(content)) add(at, { set: { content }, reasons });
  return [...merged.values()].sort((a, b) => a.at - b.at);
}

/** The messages that a plan carries with other content than their own, by index. */
function readCarriedContents(edits: readonly Edit[]): Map<number, Message['content']> {
  const found = new Map<number, Message['content']>();
  for (const edit of edits)
    for (const { quote = [], carry } of edit.kind === 'replace' ? edit.with : [])
      for (const carried of [...quote, ...carry].flat() as readonly (number | CarriedMessage)[])
        if (typeof carried !== 'number' && carried.content !== undefined) found.set(carried.at, carried.content);
  return found;
}
