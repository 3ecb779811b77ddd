import type { Message } from '@palimpsest/core';
import { type Call, ToolExchange } from './exchange.ts';
import type { Classifier } from './tool.ts';

// What was read out of a result is remembered by message object and checked against its content, so that planning a
// grown transcript anew costs the growth. Like the memo of a token counter, it holds no state of anybody's.
const exchanges = new WeakMap<Message, { readonly exchange: ToolExchange; readonly classify: Classifier }>();

/** The call and its result as an exchange, the one from before while nothing about it has changed. */
export function exchangeOf(message: Message, call: Call, text: string, classify: Classifier): ToolExchange {
  const known = exchanges.get(message);
  if (
    known &&
    known.classify === classify &&
    known.exchange.text === text &&
    known.exchange.called === call.called &&
    known.exchange.input === call.input
  )
    return known.exchange;
  const exchange = new ToolExchange(call, text, classify);
  exchanges.set(message, { exchange, classify });
  return exchange;
}

const rewrites = new WeakMap<object, { readonly from: Message; readonly message: Message }>();

/** A message with some fields set; the same object again for the same fields and message, so that its tokens are known. */
export function rewrittenBy(from: Message, set: Partial<Message>): Message {
  const known = rewrites.get(set);
  if (known?.from === from) return known.message;
  const message = { ...from, ...set };
  rewrites.set(set, { from, message });
  return message;
}
