import { apply } from './apply.ts';
import type { Edit, EditReason, Inserted, ReplaceEdit, RewriteEdit } from './edit.ts';
import { groupMessages } from './group.ts';
import { isSystem, type Message } from './message.ts';

/** One message on its way through both plans: a source message with its rewrites so far, or an inserted one. */
type Item =
  | { readonly source: number; readonly rewrites: readonly RewriteEdit[] }
  | { readonly inserted: Inserted; readonly by: ReplaceEdit };

/**
 * Makes one plan of two: `second` was planned on the output of `first`; the result is relative to `messages`, and
 * `apply(messages, compose(messages, first, second))` gives the same messages as applying one after the other.
 * @throws {PalimpsestError} `PLAN_INVALID`, `PLAN_CONFLICT` when either plan does not fit
 */
export function compose(messages: readonly Message[], first: readonly Edit[], second: readonly Edit[]): Edit[] {
  if (first.length === 0) return [...second];
  if (second.length === 0) return [...first];
  const middle = apply(messages, first);
  const final = apply(middle.messages, second);

  const between: Item[] = middle.provenance.output.map((origin, index) =>
    origin.kind === 'inserted'
      ? { inserted: middle.messages[index] as Inserted, by: first[origin.edit] as ReplaceEdit }
      : { source: origin.from, rewrites: origin.kind === 'rewritten' ? [first[origin.edit] as RewriteEdit] : [] },
  );
  const items: Item[] = final.provenance.output.map((origin, index) => {
    if (origin.kind === 'inserted')
      return { inserted: final.messages[index] as Inserted, by: second[origin.edit] as ReplaceEdit };
    const item = between[origin.from]!;
    if (origin.kind === 'original') return item;
    const edit = second[origin.edit] as RewriteEdit;
    return 'source' in item
      ? { source: item.source, rewrites: [...item.rewrites, edit] }
      : { inserted: final.messages[index] as Inserted, by: { ...item.by, carries: [] } };
  });

  const causes = middle.provenance.source.map((fate): ReplaceEdit | null => {
    const later = fate.kind === 'kept' || fate.kind === 'rewritten' ? final.provenance.source[fate.at]! : fate;
    if (later.kind === 'kept' || later.kind === 'rewritten') return null;
    return (later === fate ? first : second)[later.edit] as ReplaceEdit;
  });
  return writeEdits(messages, items, causes, (edit) => carriedBy(edit, second, between));
}

/** Source messages an edit carries; for an edit of the second plan, also what an inserted message of the first carried. */
function carriedBy(edit: ReplaceEdit, second: readonly Edit[], between: readonly Item[]): readonly number[] {
  if (!second.includes(edit)) return edit.carries ?? [];
  return (edit.carries ?? []).flatMap((at) => {
    const item = between[at]!;
    return 'source' in item ? [item.source] : (item.by.carries ?? []);
  });
}

/** Writes the shortest plan that yields the items: a rewrite per rewritten message, one replace per gap between kept ones. */
function writeEdits(
  messages: readonly Message[],
  items: readonly Item[],
  causes: readonly (ReplaceEdit | null)[],
  carried: (edit: ReplaceEdit) => readonly number[],
): Edit[] {
  const groups = groupMessages(messages);
  const kept = new Set(items.map((item) => ('source' in item ? item.source : -1)));
  const groupOf = new Int32Array(messages.length);
  groups.forEach((group, index) => groupOf.fill(index, group.from, group.to));
  const edits: Edit[] = [];
  let nextGroup = 0;
  let pending: { inserted: Inserted; by: ReplaceEdit }[] = [];
  const closeGap = (upTo: number): void => {
    if (upTo === nextGroup && pending.length === 0) return;
    const from = nextGroup < groups.length ? groups[nextGroup]!.from : messages.length;
    const to = upTo === nextGroup ? from : groups[upTo - 1]!.to;
    const behind = new Set<ReplaceEdit>(pending.map((item) => item.by));
    for (const edit of causes.slice(from, to)) if (edit) behind.add(edit);
    const carries = [...new Set(pending.flatMap((item) => carried(item.by)))];
    const folds: number[] = [];
    for (let at = from; at < to; at++) if (isSystem(messages[at]!) && !kept.has(at)) folds.push(at);
    edits.push({
      kind: 'replace',
      groups: [nextGroup, upTo],
      with: pending.map((item) => item.inserted),
      ...(carries.length > 0 ? { carries } : {}),
      ...(folds.length > 0 ? { folds } : {}),
      reasons: uniqueReasons([...behind].flatMap((edit) => edit.reasons)),
    });
    pending = [];
  };
  for (const item of items) {
    if ('inserted' in item) {
      pending.push(item);
      continue;
    }
    const group = groupOf[item.source]!;
    if (group >= nextGroup) {
      closeGap(group);
      // Of an exchange that goes, a system message stays.
      nextGroup = item.source === groups[group]!.from ? group + 1 : group;
    }
    if (item.rewrites.length > 0) edits.push(mergedRewrite(item.source, item.rewrites));
  }
  closeGap(groups.length);
  return edits;
}

function mergedRewrite(at: number, rewrites: readonly RewriteEdit[]): RewriteEdit {
  return {
    kind: 'rewrite',
    at,
    set: Object.assign({}, ...rewrites.map((edit) => edit.set)),
    reasons: uniqueReasons(rewrites.flatMap((edit) => edit.reasons)),
  };
}

function uniqueReasons(reasons: readonly EditReason[]): EditReason[] {
  const seen = new Map(reasons.map((reason) => [`${reason.code}\u0000${reason.note ?? ''}`, reason]));
  return [...seen.values()];
}
