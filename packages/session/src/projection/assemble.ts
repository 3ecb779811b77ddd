import {
  type Fate,
  isSystem,
  type Message,
  missingResult,
  type Origin,
  type Provenance,
  type StubResult,
  toolCalls,
} from '@palimpsest/core';
import { noOverlay } from '../checkpoints/checkpoint.ts';
import type { Projection } from '../checkpoints/checkpoint-chain.ts';
import type { Intake } from '../intake/intake.ts';
import { todoBlock, withTodo } from '../intake/todo-snapshot.ts';

/** What goes to the provider. */
export interface Assembled {
  readonly messages: readonly Message[];
  /** The same without the caller's wandering marks: what is counted and remembered. */
  readonly plain: readonly Message[];
  /** Relative to the caller's messages. */
  readonly provenance: Provenance;
}

interface Row {
  readonly sent: Message;
  readonly plain: Message;
  /** Index of the caller's message it comes from; -1 for one written here. */
  readonly source: number;
  /** For a message that replaces others: index behind the last of the caller's messages it stands for. */
  readonly coversTo: number;
  /** Index in the projection; -1 for one added behind it. */
  readonly projected: number;
}

// A message that was merged with a snapshot is made once, so that it is the same object every turn.
const mergedMessages = new WeakMap<Message, { readonly block: string; readonly message: Message }>();
const rebuiltSystems = new WeakMap<Message, { readonly system: string; readonly message: Message }>();

/**
 * Builds the messages to send: reuses the caller's objects, applies the checkpoint's overlay, and adds missing results.
 * @param adapt removes content the provider does not accept; `at` is the index of the caller's message
 */
export function assemble(
  intake: Intake,
  projection: Projection,
  adapt: (message: Message, at: number) => Message = (message) => message,
): Assembled {
  const overlay = projection.checkpoint?.overlay ?? noOverlay;
  const compacted = projection.checkpoint !== null;
  const block = overlay.todo && todoBlock(overlay.todo.text);
  const rows: Row[] = projection.messages.map((plain, index): Row => {
    const origin = projection.provenance.output[index]!;
    if (origin.kind === 'inserted') {
      let last = -1;
      for (let at = origin.covers.from; at < origin.covers.to; at++) last = Math.max(last, intake.from[at]!);
      return { ...dressed(plain, plain, index), source: -1, coversTo: last + 1, projected: index };
    }
    const source = intake.from[origin.from]!;
    const stance = intake.stance[origin.from]!;
    const own =
      origin.kind === 'original' && (stance === 'given' || (stance === 'given-until-compacted' && !compacted));
    const row = dressed(own ? intake.source[source]! : plain, plain, index);
    const adapted = { sent: adapt(row.sent, source), plain: adapt(row.plain, source) };
    return { ...adapted, source, coversTo: 0, projected: index };
  });

  function dressed(sent: Message, plain: Message, index: number): Pick<Row, 'sent' | 'plain'> {
    if (block && overlay.todo?.at === index && plain.role === 'user') {
      const merged = mergedOnce(plain, block);
      return { sent: sent === plain ? merged : withTodo(sent, block), plain: merged };
    }
    if (overlay.system !== null && index === 0 && isSystem(plain) && plain.content !== overlay.system) {
      const rebuilt = rebuiltOnce(plain, overlay.system);
      return { sent: rebuilt, plain: rebuilt };
    }
    return { sent, plain };
  }

  if (block && overlay.todo?.at === -1) {
    const own: Message = { role: 'user', content: block };
    const at = rows.findIndex(({ plain }) => !isSystem(plain));
    rows.splice(at < 0 ? rows.length : at, 0, written(own));
  }
  for (const stub of openCalls(projection.messages)) rows.push(written(stub));
  return {
    messages: rows.map(({ sent }) => sent),
    plain: rows.map(({ plain }) => plain),
    provenance: provenanceOf(rows, intake, projection),
  };
}

function written(message: Message): Row {
  return { sent: message, plain: message, source: -1, coversTo: 0, projected: -1 };
}

function mergedOnce(message: Message, block: string): Message {
  const known = mergedMessages.get(message);
  if (known?.block === block) return known.message;
  const merged = withTodo(message, block);
  mergedMessages.set(message, { block, message: merged });
  return merged;
}

function rebuiltOnce(message: Message, system: string): Message {
  const known = rebuiltSystems.get(message);
  if (known?.system === system) return known.message;
  const rebuilt = { ...message, content: system };
  rebuiltSystems.set(message, { system, message: rebuilt });
  return rebuilt;
}

/** Stubs for calls the conversation ends on without a result: no provider takes such a request. */
function openCalls(messages: readonly Message[]): StubResult[] {
  const at = messages.findLastIndex(({ role }) => role !== 'tool');
  const open = new Set(at < 0 ? [] : toolCalls(messages[at]!).map(({ id }) => id));
  for (const { tool_call_id: id } of messages.slice(at + 1)) open.delete(id ?? '');
  return [...open].map((id) => ({ role: 'tool', tool_call_id: id, content: missingResult }));
}

/** One account for the caller's messages: those of the projection, seen through the intake. */
function provenanceOf(rows: readonly Row[], intake: Intake, { provenance }: Projection): Provenance {
  // The smallest index of the caller's that still comes: what stands behind it was moved up.
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
  const rowOf = new Map<number, number>(rows.map(({ projected }, at) => [projected, at]));
  const fates: Fate[] = intake.source.map(() => ({ kind: 'dropped', edit: -1, reasons: [{ code: 'repair' }] }));
  provenance.source.forEach((fate, index) => {
    const source = intake.from[index]!;
    if (source < 0) return;
    const at = placed.get(source);
    if (at !== undefined) {
      const same = rows[at]!.sent === intake.source[source];
      const reasons = 'reasons' in fate ? fate.reasons : [{ code: 'session' }];
      fates[source] = same ? { kind: 'kept', at } : { kind: 'rewritten', at, edit: -1, reasons };
    } else if (fate.kind === 'carried') {
      fates[source] = { ...fate, at: rowOf.get(fate.at) ?? fate.at };
    } else {
      fates[source] = fate;
    }
  });
  return { output, source: fates };
}
