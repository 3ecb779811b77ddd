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

/** The name of a file of a conversation or its session, with the id of both. */
const ownFile = /^palimpsest\.session\..*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

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
      const known: StoredConversation[] = [];
      for (const [id, paths] of await filesById(folder)) {
        if (now() - (await newestChange(paths)) > maxUnusedMs)
          await Promise.all(paths.map((path) => rm(path, { force: true })));
        else
          for (const path of paths)
            if (path.endsWith(`conversation-${id}`)) known.push(...(await readConversation(path)));
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

/** The files of each conversation and its session, by its id. */
async function filesById(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Map<string, string[]>();
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const id = ownFile.exec(name)?.[1];
    if (id !== undefined) files.set(id, [...(files.get(id) ?? []), join(folder, name)]);
  }
  return files;
}

/** When a file of a conversation last changed. Its session is written more often than its own file. */
async function newestChange(paths: readonly string[]): Promise<number> {
  // Another proxy with the same folder may remove a file meanwhile.
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return Math.max(...found.map((stats) => stats?.mtimeMs ?? 0));
}

async function readConversation(path: string): Promise<StoredConversation[]> {
  const found = await stat(path).catch(() => null);
  // Reading a pipe would not end.
  return found?.isFile() ? parseConversation(await readFile(path, 'utf8').catch(() => '')) : [];
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
