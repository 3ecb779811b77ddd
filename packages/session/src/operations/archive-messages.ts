import { type Message, PalimpsestError } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import type { SessionParts } from '../parts/session-parts.ts';

/**
 * Archives messages that the host is about to remove from its history.
 * @throws {PalimpsestError} `OPTION_INVALID`, `MESSAGES_INVALID`
 */
export async function archiveMessages({ recall }: SessionParts, messages: readonly Message[]): Promise<void> {
  if (!recall.isOn) {
    const message = 'The tools that search archived messages are off. Create the session with recall: true.';
    throw new PalimpsestError('OPTION_INVALID', `session.archive: ${message}`, {
      issues: [{ path: 'recall', message }],
    });
  }
  checkMessages(messages);
  await recall.archive(messages);
}
