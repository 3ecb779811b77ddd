import { isSynthetic, type Message } from '@palimpsest/core';
import { kindOfFrom } from './turn-kind.ts';

/**
 * What every inserted summary begins with: the start of core's handoff, `[CONTEXT HANDOFF v2, 2345 characters]` in
 * full. Behind it come a fixed explanation, the summary, and an end mark with a checksum.
 */
export const summaryPrefix = '[CONTEXT HANDOFF v';

/** What is appended to the system turn of a compressed trajectory, unless the `notice` option says otherwise. */
export const systemNotice =
  '\n\n[Some earlier turns of this conversation were condensed into a handoff, a user turn that is marked as one.]';

/**
 * True for a turn this package inserted, in ShareGPT or OpenAI form, also after a trip through JSON: to mark it, mask
 * its loss, or filter it. A turn that merely quotes a summary, or whose summary was edited, is none.
 */
export function isSyntheticTurn(turn: unknown): boolean {
  const { from, value, role, content } = (turn ?? {}) as Record<string, unknown>;
  if (typeof from === 'string' && typeof value === 'string')
    return kindOfFrom(from) === 'human' && isSynthetic({ role: 'user', content: value });
  return role === 'user' && isSynthetic({ role: 'user', content: (content ?? null) as Message['content'] });
}

/** True for a system turn that carries the notice. */
export function hasSystemNotice(turn: unknown, notice: string = systemNotice): boolean {
  const { value, content } = (turn ?? {}) as Record<string, unknown>;
  const text = typeof value === 'string' ? value : content;
  if (typeof text === 'string') return text.endsWith(notice);
  const last = Array.isArray(text) ? (text.at(-1) as { text?: unknown } | undefined) : undefined;
  return typeof last?.text === 'string' && last.text.endsWith(notice);
}
