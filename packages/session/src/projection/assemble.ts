import {
  type ForeignHandoffReader,
  isSystem,
  type Message,
  type MessageOutcome,
  missingResult,
  type Origin,
  type Provenance,
  type StubResult,
  toolCalls,
} from '@palimpsest/core';
import { noOverlay } from '../checkpoints/checkpoint.ts';
import type { Projection } from '../checkpoints/checkpoint-chain.ts';
import type { Intake } from '../intake/intake.ts';
import { textWithMark } from '../intake/strip-cache-marks.ts';
import { todoBlock, withTodo } from '../intake/todo-snapshot.ts';

/** The messages to send to the provider. */
export interface Assembled {
  readonly messages: readonly Message[];
  /** Relative to the caller's messages. */
  readonly provenance: Provenance;
}

// Merged messages are cached, so that they are the same objects every turn.
const mergedMessages = new WeakMap<Message, { readonly block: string; readonly message: Message }>();
const rebuiltSystems = new WeakMap<Message, { readonly system: string; readonly message: Message }>();

/**
 * Builds the messages to send: reuses the caller's objects, applies the checkpoint's overlay, and adds missing results.
 * @param reader knows other systems' handoffs, which a todo snapshot is put behind
 * @param adapt removes content the provider does not accept; `at` is the index of the caller's message
 */
export function assemble(
  intake: Intake,
  projection: Projection,
  reader: ForeignHandoffReader,
  adapt: (message: Message, at: number) => Message = (message) => message,
): Assembled {
  const overlay = projection.checkpoint?.overlay ?? noOverlay;
  const block = overlay.todo && todoBlock(overlay.todo.text);
  const overlaid = (message: Message, index: number): Message => {
    if (block && overlay.todo?.at === index && message.role === 'user') return mergeOnce(message, block, reader);
    return overlay.system !== null && index === 0 && isSystem(message) ? rebuildOnce(message, overlay.system) : message;
  };
  const rows: AssembledRow[] = projection.messages.map((message, projected) => {
    const origin = projection.provenance.output[projected]!;
    if (origin.kind === 'inserted') {
      let last = -1;
      for (let at = origin.covers.from; at < origin.covers.to; at++) last = Math.max(last, intake.from[at]!);
      return { sent: overlaid(message, projected), source: -1, coversTo: last + 1, projected };
    }
    const source = intake.from[origin.from]!;
    const isOwn = origin.kind === 'original' && isSentAsGiven(intake, origin.from, projection);
    const sent = adapt(overlaid(isOwn ? intake.source[source]! : message, projected), source);
    return { sent, source, coversTo: 0, projected };
  });
  if (block && overlay.todo?.at === -1) {
    const at = rows.findIndex(({ sent }) => !isSystem(sent));
    rows.splice(at < 0 ? rows.length : at, 0, rowOf({ role: 'user', content: block }));
  }
  for (const stub of missingResults(projection.messages)) rows.push(rowOf(stub));
  return {
    messages: rows.map(({ sent }) => sent),
    provenance: combineProvenance(rows, intake, projection),
  };
}

/** True when the caller's own object is sent, and not the repaired copy. */
function isSentAsGiven({ form }: Intake, at: number, { checkpoint }: Projection): boolean {
  return form[at] === 'given' || (form[at] === 'given-until-compacted' && checkpoint === null);
}

function rowOf(message: Message): AssembledRow {
  return { sent: message, source: -1, coversTo: 0, projected: -1 };
}

function mergeOnce(message: Message, block: string, reader: ForeignHandoffReader): Message {
  const known = mergedMessages.get(message);
  if (known?.block === block) return known.message;
  const merged = withTodo(message, block, reader);
  mergedMessages.set(message, { block, message: merged });
  return merged;
}

function rebuildOnce(message: Message, system: string): Message {
  const known = rebuiltSystems.get(message);
  if (known?.system === system) return known.message;
  const content = textWithMark(message.content, system);
  const rebuilt = message.content === content ? message : { ...message, content };
  rebuiltSystems.set(message, { system, message: rebuilt });
  return rebuilt;
}

/** Stub results for tool calls at the end that have no result. No provider accepts such a request without them. */
function missingResults(messages: readonly Message[]): StubResult[] {
  const at = messages.findLastIndex(({ role }) => role !== 'tool');
  const open = new Set(at < 0 ? [] : toolCalls(messages[at]!).map(({ id }) => id));
  for (const { tool_call_id: id } of messages.slice(at + 1)) open.delete(id ?? '');
  return [...open].map((id) => ({ role: 'tool', tool_call_id: id, content: missingResult }));
}

/** One message to send, and its origin. */
interface AssembledRow {
  readonly sent: Message;
  /** Index of the caller's message it comes from; -1 for one that was added. */
  readonly source: number;
  /** For a message that replaces others: index after the last of the caller's messages it replaces. */
  readonly coversTo: number;
  /** Index in the projection; -1 for one that was added after it. */
  readonly projected: number;
}

/** Combines the provenance of the projection with the repairs of the intake: the outcome of each of the caller's messages. */
function combineProvenance(rows: readonly AssembledRow[], intake: Intake, { provenance }: Projection): Provenance {
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
