import type { PiMessage } from '@palimpsest/formats';
import type { PiEntry } from './pi-api.ts';

/** A message of a session file, and the id of its entry. */
export interface StoredMessage {
  readonly id: string;
  readonly message: PiMessage;
}

/** The messages of a branch, without compactions: everything that was said, oldest first. */
export function readStoredMessages(entries: readonly PiEntry[]): readonly StoredMessage[] {
  return entries.flatMap((entry) => {
    const message = messageIn(entry);
    return message ? { id: entry.id, message } : [];
  });
}

function messageIn(entry: PiEntry): PiMessage | null {
  const { type, message, content, summary } = entry as PiEntry & Readonly<Record<string, unknown>>;
  if (type === 'message') return message as PiMessage;
  if (type === 'custom_message') return { role: 'custom', content } as PiMessage;
  // pi leaves out an empty summary.
  return type === 'branch_summary' && summary ? ({ role: 'branchSummary', summary } as PiMessage) : null;
}

/**
 * Returns the whole history for the messages that pi is about to send. If pi itself has compacted, these begin with its
 * summary; the messages that it replaced are still in the session file.
 */
export function wholeHistory<M extends PiMessage>(
  messages: readonly M[],
  branch: () => readonly PiEntry[],
): readonly M[] {
  if (messages[0]?.role !== 'compactionSummary') return messages;
  const entries = branch();
  const last = entries.findLast(({ type }) => type === 'compaction') as
    | (PiEntry & { readonly firstKeptEntryId?: unknown })
    | undefined;
  if (!last) return messages;
  const kept = entries.findIndex(({ id }) => id === last.firstKeptEntryId);
  // A compaction that keeps nothing replaces everything before it.
  const replaced = entries.slice(0, kept < 0 ? entries.indexOf(last) : kept);
  return [...readStoredMessages(replaced).map(({ message }) => message as M), ...messages.slice(1)];
}
