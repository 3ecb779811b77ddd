import { isSynthetic, type Message } from '@palimpsest/core';
import { kindOfFrom } from './row/turn-kind.ts';

/**
 * The beginning of every inserted summary. It is the beginning of the first line of a handoff of `@palimpsest/core`,
 * such as `[CONTEXT HANDOFF v1, 2345 characters]`. An explanation, the summary, and an end mark with a checksum follow.
 */
export const summaryPrefix = '[CONTEXT HANDOFF v';

/** The default of the `notice` option: the text appended to the system turn of a compacted trajectory. */
export const systemNotice =
  '\n\n[Some earlier turns of this conversation were condensed into a handoff, a user turn that is marked as one.]';

/**
 * True for a turn that this package inserted, in ShareGPT or OpenAI format, also after a JSON round trip. Use it to
 * mark the turn, mask its loss or filter it. False for a turn that only quotes a summary, or whose summary was edited.
 */
export function isSyntheticTurn(turn: unknown): boolean {
  const { from, value, role, content } = (turn ?? {}) as Record<string, unknown>;
  if (typeof from === 'string' && typeof value === 'string')
    return kindOfFrom(from) === 'human' && isSynthetic({ role: 'user', content: value });
  return role === 'user' && isSynthetic({ role: 'user', content: (content ?? null) as Message['content'] });
}

/** True for a system turn that ends with the notice. */
export function hasSystemNotice(turn: unknown, notice: string = systemNotice): boolean {
  const { value, content } = (turn ?? {}) as Record<string, unknown>;
  const text = typeof value === 'string' ? value : content;
  if (typeof text === 'string') return text.endsWith(notice);
  const last = Array.isArray(text) ? (text.at(-1) as { text?: unknown } | undefined) : undefined;
  return typeof last?.text === 'string' && last.text.endsWith(notice);
}
