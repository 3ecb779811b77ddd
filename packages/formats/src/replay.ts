import { type Message, PalimpsestError } from '@palimpsest/core';
import type { Decoded, EditedMessages } from './codec.ts';

/** One step in writing an edited transcript: the outcome of a decoded message, or an inserted message. */
export type Step =
  | { readonly kind: 'kept'; readonly unit: number }
  | { readonly kind: 'rewritten'; readonly unit: number; readonly message: Message }
  /** `carries`: the decoded messages that it contains verbatim. */
  | { readonly kind: 'inserted'; readonly message: Message; readonly carries: readonly number[] }
  /** Summarized, dropped or carried. Comes before the message that replaced it. */
  | { readonly kind: 'removed'; readonly unit: number };

/**
 * Aligns an edited transcript with the decoded one; returns `null` if nothing was edited.
 * @throws {PalimpsestError} `PLAN_INVALID` if the provenance belongs to another conversation
 */
export function replay<Native>(decoded: Decoded<Native>, result: EditedMessages): Step[] | null {
  const { messages, provenance } = result;
  if (messages === decoded.messages) return null;
  const before = decoded.messages;
  if (provenance.source.length !== before.length || provenance.output.length !== messages.length)
    throw mismatch(`it covers ${provenance.source.length} messages, the conversation has ${before.length}`);
  const carried = new Map<number, number[]>();
  provenance.source.forEach((outcome, unit) => {
    if (outcome.kind !== 'carried') return;
    const units = carried.get(outcome.at);
    if (units) units.push(unit);
    else carried.set(outcome.at, [unit]);
  });
  // A message that an edit left in its place, such as a later system message, follows what replaced its neighbours.
  const kept: number[] = new Array(messages.length + 1).fill(before.length);
  for (let at = messages.length - 1; at >= 0; at--) {
    const origin = provenance.output[at]!;
    kept[at] = origin.kind === 'inserted' ? kept[at + 1]! : origin.from;
  }
  const steps: Step[] = [];
  let next = 0;
  let edited = messages.length !== before.length;
  const leave = (until: number): void => {
    for (; next < until; next++) steps.push({ kind: 'removed', unit: next });
  };
  messages.forEach((message, at) => {
    const origin = provenance.output[at]!;
    if (origin.kind === 'inserted') {
      leave(Math.max(next, Math.min(origin.covers.to, kept[at + 1]!)));
      steps.push({ kind: 'inserted', message, carries: carried.get(at) ?? [] });
      edited = true;
      return;
    }
    const unit = origin.from;
    if (unit < next || unit >= before.length) throw mismatch(`message ${unit} is out of order`);
    leave(unit);
    next = unit + 1;
    if (message === before[unit]) {
      steps.push({ kind: 'kept', unit });
    } else {
      edited = true;
      steps.push({ kind: 'rewritten', unit, message });
    }
  });
  leave(before.length);
  return edited ? steps : null;
}

function mismatch(why: string): PalimpsestError {
  return new PalimpsestError(
    'PLAN_INVALID',
    `The provenance does not belong to this conversation: ${why}. Pass the output of an engine for \`decoded.messages\`.`,
    { edit: -1 },
  );
}
