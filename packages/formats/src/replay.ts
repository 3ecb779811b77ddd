import { type Message, PalimpsestError } from '@palimpsest/core';
import type { Decoded, EditedMessages } from './codec.ts';

/** What became of the decoded messages, in the order to write it down. */
export type Step =
  | { readonly kind: 'kept'; readonly unit: number }
  | { readonly kind: 'rewritten'; readonly unit: number; readonly message: Message }
  /** `carries`: the decoded messages that stand verbatim inside. */
  | { readonly kind: 'inserted'; readonly message: Message; readonly carries: readonly number[] }
  /** Summarized, dropped or carried. It stands before what took its place. */
  | { readonly kind: 'gone'; readonly unit: number };

/**
 * Lines an edited transcript up with the decoded one; `null` when nothing was edited at all.
 * @throws {PalimpsestError} `PLAN_INVALID` when the provenance is of another conversation
 */
export function replay<Native>(decoded: Decoded<Native>, result: EditedMessages): Step[] | null {
  const { messages, provenance } = result;
  if (messages === decoded.messages) return null;
  const before = decoded.messages;
  if (provenance.source.length !== before.length || provenance.output.length !== messages.length)
    throw foreign(`it speaks of ${provenance.source.length} messages, the conversation has ${before.length}`);
  const carried = new Map<number, number[]>();
  provenance.source.forEach((outcome, unit) => {
    if (outcome.kind !== 'carried') return;
    const units = carried.get(outcome.at);
    if (units) units.push(unit);
    else carried.set(outcome.at, [unit]);
  });
  const steps: Step[] = [];
  let next = 0;
  let edited = messages.length !== before.length;
  const leave = (until: number): void => {
    for (; next < until; next++) steps.push({ kind: 'gone', unit: next });
  };
  messages.forEach((message, at) => {
    const origin = provenance.output[at]!;
    if (origin.kind === 'inserted') {
      leave(Math.max(next, origin.covers.to));
      steps.push({ kind: 'inserted', message, carries: carried.get(at) ?? [] });
      edited = true;
      return;
    }
    const unit = origin.from;
    if (unit < next || unit >= before.length) throw foreign(`message ${unit} is out of its order`);
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

function foreign(why: string): PalimpsestError {
  return new PalimpsestError(
    'PLAN_INVALID',
    `The provenance does not belong to this conversation: ${why}. Encode what an engine made of the decoded messages.`,
    { edit: -1 },
  );
}
