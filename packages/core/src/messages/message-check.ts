import { PalimpsestError } from '../errors.ts';
import type { Message } from './message.ts';

/**
 * Rejects anything that is not an array of messages. Does not validate the messages further, because broken transcripts
 * must be accepted, too.
 * @throws {PalimpsestError} `MESSAGES_INVALID`
 */
export function checkMessages(messages: readonly Message[]): void {
  if (!Array.isArray(messages))
    throw new PalimpsestError('MESSAGES_INVALID', 'Messages must be an array of { role, content } objects.', {
      index: -1,
      field: '',
    });
  // By index, because `forEach` skips the holes of a sparse array.
  for (let index = 0; index < messages.length; index++) checkMessage(messages[index], index);
}

function checkMessage(message: Message | null | undefined, index: number): void {
  if (typeof message !== 'object' || message === null || typeof message.role !== 'string')
    throw new PalimpsestError(
      'MESSAGES_INVALID',
      `Message ${index} is not a message: it has no "role". Pass chat-completions messages, or convert them first.`,
      { index, field: 'role' },
    );
  const calls: unknown = message.tool_calls;
  if (Array.isArray(calls) && calls.some((call) => typeof call !== 'object' || call === null))
    throw new PalimpsestError('MESSAGES_INVALID', `Message ${index} has "tool_calls" that are not objects.`, {
      index,
      field: 'tool_calls',
    });
}
