import { PalimpsestError } from '../errors.ts';
import { groupMessages } from '../messages/group.ts';
import { isBlank, isSystem, type Message } from '../messages/message.ts';
import { apply } from './apply.ts';
import type { Carried, CarriedMessage, Edit, EditReason, Inserted, ReplaceEdit, RewriteEdit } from './edit.ts';
import { contentToCarry, isList } from './inserted-message.ts';
import { composeSources } from './line-source.ts';
import type { Provenance } from './provenance.ts';
import { rewriteInsertion } from './rewrite-insertion.ts';

/** One message on its way through both plans: a source message with its rewrites so far, or an inserted one. */
type Item =
  | { readonly source: number; readonly rewrites: readonly RewriteEdit[] }
  /** Indices in `inserted` refer to the source. */
  | { readonly inserted: Inserted; readonly by: ReplaceEdit };

/**
 * Combines two plans into one. `first` is relative to `messages`, `second` to the output of `first`, and the result to
 * `messages`. Applying the result gives the same messages as applying `first`, then `second`.
 * @throws {PalimpsestError} `PLAN_INVALID`, `PLAN_CONFLICT` when either plan does not fit, or when `second` rewrites
 *   the text of a message that `first` inserted
 */
export function compose(messages: readonly Message[], first: readonly Edit[], second: readonly Edit[]): Edit[] {
  if (first.length === 0) return [...second];
  if (second.length === 0) return [...first];
  const middle = apply(messages, first);
  const final = apply(middle.messages, second);
  const source = messages.map((_, at): Item => ({ source: at, rewrites: [] }));
  const between = itemsAfter(messages, source, first, middle.provenance);
  const items = itemsAfter(messages, between, second, final.provenance);

  const causes = middle.provenance.source.map((outcome): ReplaceEdit | null => {
    const later =
      outcome.kind === 'kept' || outcome.kind === 'rewritten' ? final.provenance.source[outcome.at]! : outcome;
    if (later.kind === 'kept' || later.kind === 'rewritten') return null;
    return (later === outcome ? first : second)[later.edit] as ReplaceEdit;
  });
  return writeEdits(messages, items, causes);
}

/** The items after a plan was applied to the messages that `before` represents. */
function itemsAfter(
  messages: readonly Message[],
  before: readonly Item[],
  plan: readonly Edit[],
  provenance: Provenance,
): Item[] {
  const rewrites = new Map<number, { readonly edit: RewriteEdit; readonly position: number }>();
  plan.forEach((edit, position) => {
    if (edit.kind === 'rewrite') rewrites.set(edit.at, { edit, position });
  });
  const withRewrite = (at: number): Item => {
    const item = before[at]!;
    const found = rewrites.get(at);
    if (!found) return item;
    const { edit, position } = found;
    if ('source' in item) return { source: item.source, rewrites: [...item.rewrites, edit] };
    // Inserted messages have no calls or reasoning.
    if (!('content' in edit.set)) return item;
    return { ...item, inserted: withContent(messages, item.inserted, edit.set.content, { at, position }) };
  };
  const resolve = (carried: number | CarriedMessage, position: number): readonly Carried[] => {
    const own: CarriedMessage = typeof carried === 'number' ? { at: carried } : carried;
    const item = before[own.at]!;
    if ('source' in item) return [withRewrites(own, item.source, item.rewrites)];
    return own.content === undefined
      ? item.inserted.carry
      : withContent(messages, item.inserted, own.content, { at: own.at, position }).carry;
  };
  const sourceOf = (at: number): number | Inserted => {
    const item = before[at]!;
    return 'source' in item ? item.source : item.inserted;
  };
  const taken = new Map<number, number>();
  return provenance.output.map((origin): Item => {
    if (origin.kind !== 'inserted') return withRewrite(origin.from);
    const by = plan[origin.edit] as ReplaceEdit;
    const index = taken.get(origin.edit) ?? 0;
    taken.set(origin.edit, index + 1);
    const given = by.with[index]!;
    const item = composeInserted(messages, given, by, (carried) => resolve(carried, origin.edit));
    return { ...item, inserted: { ...item.inserted, ...composeSources(given, origin.covers, sourceOf) } };
  });
}

/**
 * Translates an insertion to indices of the source. Content that an earlier inserted message carried is kept; content
 * that it quoted is not.
 */
function composeInserted(
  messages: readonly Message[],
  { handoff, quote = [], instructions, carry }: Inserted,
  by: ReplaceEdit,
  resolve: (carried: number | CarriedMessage) => readonly Carried[],
): Extract<Item, { inserted: Inserted }> {
  const isText = (carried: Carried): boolean => {
    const content = contentToCarry(carried, messages);
    return typeof content === 'string' || isBlank(content);
  };
  const all = (list: readonly Carried[]): Carried[] => {
    const found = list.map((carried) => (isList(carried) ? carried.flatMap(resolve) : resolve(carried)));
    // If an inserted message joined several texts, they stay one text even next to messages with parts.
    const joins = !found.flat().every(isText);
    return found.flatMap((carried, index): readonly Carried[] => {
      const isOne = isList(list[index]!) || carried.every(isText);
      return joins && carried.length > 1 && isOne ? [carried.flat()] : carried;
    });
  };
  const quoted = all(quote);
  const quotes = { ...(quoted.length > 0 ? { quote: quoted } : {}), ...(instructions ? { instructions } : {}) };
  return { inserted: { handoff, ...quotes, carry: all(carry) }, by };
}

/** A carried message with its rewrites so far. The source does not contain them. */
function withRewrites({ skip, ...own }: CarriedMessage, source: number, rewrites: readonly RewriteEdit[]): Carried {
  const { content } = Object.assign({}, ...rewrites.map((edit) => edit.set), own) as CarriedMessage;
  if (content === undefined && skip === undefined) return source;
  return {
    at: source,
    ...(skip === undefined ? {} : { skip }),
    ...(content === undefined ? {} : { content: content ?? '' }),
  };
}

/** An inserted message with other content. */
function withContent(
  messages: readonly Message[],
  inserted: Inserted,
  content: Message['content'],
  { at, position }: { readonly at: number; readonly position: number },
): Inserted {
  const rewritten = rewriteInsertion(inserted, content, messages);
  if (rewritten) return rewritten;
  throw new PalimpsestError(
    'PLAN_CONFLICT',
    `Edit ${position} of the second plan changes the text of message ${at}, which the first plan inserted. Only pictures and files in it can be replaced.`,
    { edits: [position] },
  );
}

/**
 * Writes the shortest plan that yields the items: one rewrite per rewritten message, one replace per gap between kept
 * messages.
 */
function writeEdits(
  messages: readonly Message[],
  items: readonly Item[],
  causes: readonly (ReplaceEdit | null)[],
): Edit[] {
  const groups = groupMessages(messages);
  const kept = new Set(items.map((item) => ('source' in item ? item.source : -1)));
  const groupOf = new Int32Array(messages.length);
  groups.forEach((group, index) => groupOf.fill(index, group.from, group.to));
  const edits: Edit[] = [];
  let nextGroup = 0;
  /** The message of the last item that is not inserted. */
  let last = -1;
  let pending: Extract<Item, { inserted: Inserted }>[] = [];
  const closeGap = (upTo: number): void => {
    if (upTo === nextGroup && pending.length === 0) return;
    const from = nextGroup < groups.length ? groups[nextGroup]!.from : messages.length;
    const to = upTo === nextGroup ? from : groups[upTo - 1]!.to;
    const replaced = new Set<ReplaceEdit>(pending.map((item) => item.by));
    for (const edit of causes.slice(from, to)) if (edit) replaced.add(edit);
    const summarizedSystems: number[] = [];
    for (let at = from; at < to; at++) if (isSystem(messages[at]!) && !kept.has(at)) summarizedSystems.push(at);
    edits.push({
      kind: 'replace',
      groups: [nextGroup, upTo],
      with: pending.map((item) => item.inserted),
      ...(summarizedSystems.length > 0 ? { summarizedSystems } : {}),
      reasons: uniqueReasons([...replaced].flatMap((edit) => edit.reasons)),
    });
    pending = [];
  };
  for (const item of items) {
    if ('inserted' in item) {
      // A system message between removed calls and their results comes after what replaces them, so this goes behind them.
      if (last >= 0 && groupOf[last] === nextGroup) {
        closeGap(nextGroup + 1);
        nextGroup++;
      }
      pending.push(item);
      continue;
    }
    last = item.source;
    const group = groupOf[item.source]!;
    if (group >= nextGroup) {
      closeGap(group);
      // A system message between removed calls and their results stays.
      nextGroup = item.source === groups[group]!.from ? group + 1 : group;
    }
    if (item.rewrites.length > 0) edits.push(mergeRewrites(item.source, item.rewrites));
  }
  closeGap(groups.length);
  return edits;
}

function mergeRewrites(at: number, rewrites: readonly RewriteEdit[]): RewriteEdit {
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
