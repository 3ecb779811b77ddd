import {
  type CarriedMessage,
  contentText,
  type EditReason,
  type Inserted,
  isTextPart,
  type Message,
  type MessageOutcome,
  type Part,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { contentToCarry } from '@palimpsest/core/authoring';
import { lastingRewrites } from '../compaction/lasting-rewrites.ts';
import { baseEdits } from '../compaction/plan-compaction.ts';
import type { Intake } from '../intake/intake.ts';
import type { RequestView } from '../projection/request-view.ts';
import type { HandoffLine, InspectedHandoff, InspectedMessage, Inspection } from './inspection.ts';
import { type PlacedHandoff, readHandoffs } from './read-handoffs.ts';

/** Reports the outcome of each of the caller's messages in a request. @param engine name of the engine */
export function inspect(engine: string, intake: Intake, view: RequestView): Inspection {
  const { assembled, projection } = view;
  const edits = baseEdits(projection.checkpoint, intake.messages);
  const placed = readHandoffs({ edits, provenance: projection.provenance }, (at) => intake.from[at]!);
  const lines = linesByMessage(placed);
  const bySession = new Set(
    lastingRewrites(projection.checkpoint, intake.messages).map((edit) => (edit.kind === 'rewrite' ? edit.at : -1)),
  );
  const repairedAt = new Map(intake.from.map((from, at) => [from, at]));
  const messages = intake.source.map((message, index): InspectedMessage => {
    const outcome = assembled.provenance.source[index]!;
    const handoff = handoffOf(outcome, placed);
    const reasons = 'reasons' in outcome ? outcome.reasons : [];
    const repaired = repairedAt.get(index) ?? -1;
    const before = messageText(message);
    return {
      index,
      role: message.role,
      outcome: outcome.kind,
      by: outcome.kind === 'kept' ? null : isOfSession(reasons) || bySession.has(repaired) ? 'session' : 'engine',
      reasons,
      before,
      after:
        textAfter(outcome, before, assembled.messages) ?? readCarriedText(placed[handoff]?.inserted, repaired, intake),
      handoff: handoff < 0 ? null : handoff,
      lines: lines.get(index) ?? [],
    };
  });
  const handoffs = placed.map((one, position) => inspectHandoff(one, position, messages, assembled.messages));
  return { engine, compaction: projection.checkpoint?.number ?? null, messages, handoffs };
}

/** Codes of changes that the session made without a compaction. */
function isOfSession(reasons: readonly EditReason[]): boolean {
  return reasons.some(({ code }) => code === 'repair' || code === 'session');
}

function linesByMessage(placed: readonly PlacedHandoff[]): ReadonlyMap<number, readonly HandoffLine[]> {
  const found = new Map<number, HandoffLine[]>();
  for (const line of placed.flatMap(({ lines }) => lines))
    for (const at of line.from ?? []) {
      const known = found.get(at);
      if (known) known.push(line);
      else found.set(at, [line]);
    }
  return found;
}

/** Position of the handoff that replaces or carries a message; -1 for none. */
function handoffOf(outcome: MessageOutcome, placed: readonly PlacedHandoff[]): number {
  if (outcome.kind === 'kept' || outcome.kind === 'rewritten' || outcome.edit < 0) return -1;
  // Messages after the answer that leads in the tail are removed by a separate edit after that of the handoff.
  return placed.findLastIndex(({ edit }) => edit <= outcome.edit);
}

function textAfter(outcome: MessageOutcome, before: string, sent: readonly Message[]): string | null {
  if (outcome.kind === 'kept') return before;
  return outcome.kind === 'rewritten' ? messageText(sent[outcome.at]!) : null;
}

/** The text of a repaired message as a handoff carries it; `null` if it does not. */
function readCarriedText(inserted: Inserted | undefined, repaired: number, intake: Intake): string | null {
  if (!inserted) return null;
  const all = [...(inserted.quote ?? []), ...inserted.carry].flat() as readonly (number | CarriedMessage)[];
  const found = all.find((one) => (typeof one === 'number' ? one : one.at) === repaired);
  return found === undefined ? null : contentAsText(contentToCarry(found, intake.messages));
}

function inspectHandoff(
  { inserted, lines }: PlacedHandoff,
  position: number,
  messages: readonly InspectedMessage[],
  sent: readonly Message[],
): InspectedHandoff {
  const replaced = messages.filter(({ handoff }) => handoff === position).map(({ index }) => index);
  const from = replaced[0] ?? 0;
  return {
    at: sent.findIndex(({ role, content }) => role === 'user' && contentText(content).startsWith(inserted.handoff)),
    replaces: { from, to: (replaced.at(-1) ?? from - 1) + 1 },
    lines,
  };
}

/** A message as text: its content, `[type]` for a part without text, and its tool calls, each as `name(arguments)`. */
function messageText(message: Message): string {
  const { content, function_call: legacy } = message;
  const calls = toolCalls(message).map((call) => `${toolCallName(call)}(${toolCallInput(call)})`);
  if (legacy) calls.push(`${legacy.name}(${legacy.arguments ?? ''})`);
  return [contentAsText(content ?? ''), ...calls].filter(Boolean).join('\n');
}

/** Content as text, `[type]` for a part without text. */
function contentAsText(content: string | readonly Part[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (isTextPart(part) ? part.text : `[${part.type}]`)).join('\n');
}
