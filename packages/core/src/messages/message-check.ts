import { PalimpsestError } from '../errors.ts';
import type { Message } from './message.ts';

/**
 * Refuses what is no array of messages, before anything looks at it. What the messages hold is not judged here: a
 * broken transcript is still somebody's transcript.
 * @throws {PalimpsestError} `MESSAGES_INVALID`
 */
export function checkMessages(messages: readonly Message[]): void {
  if (!Array.isArray(messages))
    throw new PalimpsestError('MESSAGES_INVALID', 'Messages must be an array of { role, content } objects.', {
      index: -1,
      field: '',
    });
  // By index, because `forEach` passes over the holes of a sparse array.
  for (let index = 0; index < messages.length; index++) checkMessage(messages[index], index);
}

function checkMessage(message: Message | null | undefined, index: number): void {
  if (typeof message !== 'object' || message === null || typeof message.role !== 'string')
    throw new PalimpsestError(
      'MESSAGES_INVALID',
      `Message ${index} is no message: it needs a "role". Pass chat-completions messages, or convert them first.`,
      { index, field: 'role' },
    );
  const calls: unknown = message.tool_calls;
  if (Array.isArray(calls) && calls.some((call) => typeof call !== 'object' || call === null))
    throw new PalimpsestError('MESSAGES_INVALID', `Message ${index} has "tool_calls" that are no objects.`, {
      index,
      field: 'tool_calls',
    });
}
