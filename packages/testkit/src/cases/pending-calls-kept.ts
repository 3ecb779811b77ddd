import { hasToolCalls, isToolResult, type Message } from '@palimpsest/core';
import type { Span } from '@palimpsest/core/authoring';
import { type CaseDefinition, ensure, resultCase } from '../case-definition.ts';

export const pendingCallsKept: CaseDefinition = resultCase(
  5,
  'keeps the pending tool calls whole, whatever follows them',
  (result, scenario) => {
    const { messages } = scenario;
    const pending = pendingCallsOf(messages);
    if (!pending) return;
    const first = result.messages.findLastIndex(({ role }) => role === 'assistant');
    messages.slice(pending.from, pending.to).forEach((message, at) => {
      ensure(
        result.messages[first + at] === message,
        () => `message ${pending.from + at}, part of the pending tool calls, is not unchanged in the output`,
      );
    });
  },
);

/** The last assistant message with its calls and their results, while the model has not answered them. */
export function pendingCallsOf(messages: readonly Message[]): Span | null {
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  if (from < 0 || !hasToolCalls(messages[from]!)) return null;
  let to = from + 1;
  while (to < messages.length && isToolResult(messages[to]!)) to++;
  // A call that only a user message follows has no result that the model has not seen.
  return to === from + 1 && to < messages.length ? null : { from, to };
}
