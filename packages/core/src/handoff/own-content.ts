import type { Message, Part } from '../messages/message.ts';
import { readHandoff } from './handoff.ts';
import { afterHarnessQuote } from './harness-quote.ts';

/**
 * Returns the content of a user message without this library's handoff at its start and the harness messages quoted
 * after it. Another system's handoff is kept.
 */
export function ownContent(message: Message): string | readonly Part[] {
  const handoff = readHandoff(message);
  if (!handoff) return message.content ?? '';
  return afterHarnessQuote(handoff.rest);
}
