import type { Message } from '@palimpsest/core';
import { type Call, ToolExchange } from './exchange.ts';
import type { Proposal } from './strategy.ts';
import type { Classifier } from './tool.ts';

/** What was read out of a result and written for it. One entry a message: many small weak tables make collections slow. */
interface Memory {
  readonly exchange: ToolExchange;
  readonly classify: Classifier;
  proposal: Omit<Proposal, 'at'> | null;
  /** What the proposal depends on besides the exchange. */
  basis: readonly unknown[];
}

// Remembered by message object and checked against its content, so that planning a grown transcript anew costs the
// growth. Like the memo of a token counter, it holds no state of anybody's.
const memories = new WeakMap<Message, Memory>();

/** The call and its result as an exchange, the one from before while nothing about it has changed. */
export function exchangeOf(message: Message, call: Call, text: string, classify: Classifier): ToolExchange {
  const known = memories.get(message);
  if (
    known &&
    known.classify === classify &&
    known.exchange.text === text &&
    known.exchange.called === call.called &&
    known.exchange.input === call.input
  )
    return known.exchange;
  const exchange = new ToolExchange(call, text, classify);
  memories.set(message, { exchange, classify, proposal: null, basis: [] });
  return exchange;
}

/** The proposal made for this result before, on the same basis; else the one `make` makes. */
export function proposalOf(
  message: Message,
  exchange: ToolExchange,
  basis: readonly unknown[],
  make: () => Omit<Proposal, 'at'> | null,
): Omit<Proposal, 'at'> | null {
  const memory = memories.get(message);
  if (memory?.exchange !== exchange) return make();
  if (memory.proposal && memory.basis.every((value, index) => value === basis[index])) return memory.proposal;
  memory.proposal = make();
  memory.basis = basis;
  return memory.proposal;
}
