import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionStore } from '@palimpsest/session';
import { fileStore } from '@palimpsest/session/file-store';
import type { Identity } from './match.ts';

/** A conversation as it is stored. Contains no text and no key of the agent, only hashes. */
export interface StoredConversation extends Identity {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly lastUsed: number;
  /** Absent for a conversation that is not held out. */
  readonly isHeldOut?: true | undefined;
}

/** Keeps conversations in a folder, across restarts. */
export interface ConversationStore {
  /** The store for the sessions. */
  readonly sessions: SessionStore;
  /** Reads all conversations, the most recently used first. Files that are damaged or cannot be read are skipped. */
  read(): Promise<readonly StoredConversation[]>;
  write(conversation: StoredConversation): Promise<void>;
}

/** The name of a conversation's file, with its id. */
const conversationFile = /^palimpsest\.session\.conversation-([0-9a-f-]{36})$/;

/** Milliseconds after which an unused conversation is removed from the folder: 30 days. */
const maxUnusedMs = 30 * 24 * 3_600_000;

/**
 * A store in a folder, in files that only their owner can read. It contains summaries, as sessions store them, and hashes
 * of messages.
 * @param now returns the current time, in milliseconds since the epoch
 */
export function conversationStore(folder: string, now: () => number): ConversationStore {
  const sessions = fileStore(folder);
  return {
    sessions,
    async read() {
      const names = await readdir(folder).catch(() => [] as string[]);
      const known: StoredConversation[] = [];
      for (const name of names) {
        const id = conversationFile.exec(name)?.[1];
        if (id === undefined) continue;
        const path = join(folder, name);
        // Another proxy with the same folder may remove a file meanwhile.
        const found = await stat(path).catch(() => null);
        // Reading a pipe would not end.
        if (!found?.isFile()) continue;
        if (now() - (await newestChange(folder, names, id)) > maxUnusedMs) await removeAll(folder, names, id);
        else known.push(...parseConversation(await readFile(path, 'utf8').catch(() => '')));
      }
      return known.sort((one, other) => other.lastUsed - one.lastUsed);
    },
    write: async (conversation) => {
      const id = `conversation-${conversation.id}`;
      const before = await sessions.load(id);
      await sessions.save(id, JSON.stringify(conversation), before?.version ?? null);
    },
  };
}

/** When a file of a conversation last changed. Its session is written more often than its own file. */
async function newestChange(folder: string, names: readonly string[], id: string): Promise<number> {
  const changes = names
    .filter((name) => name.includes(id))
    .map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    );
  return Math.max(...(await Promise.all(changes)));
}

/** Removes the files of a conversation and its session. */
async function removeAll(folder: string, names: readonly string[], id: string): Promise<void> {
  for (const name of names) if (name.includes(id)) await rm(join(folder, name), { force: true });
}

function parseConversation(text: string): StoredConversation[] {
  try {
    const { id, scope, key, chain, lastUsed, isHeldOut } = JSON.parse(text) as StoredConversation;
    const isWhole =
      [id, scope, key].every((value) => typeof value === 'string') &&
      /^[0-9a-f-]{36}$/.test(id) &&
      typeof lastUsed === 'number' &&
      Array.isArray(chain) &&
      chain.every((hash) => typeof hash === 'string');
    return isWhole ? [{ id, scope, key, chain, lastUsed, ...(isHeldOut === true ? { isHeldOut } : {}) }] : [];
  } catch {
    return [];
  }
}
