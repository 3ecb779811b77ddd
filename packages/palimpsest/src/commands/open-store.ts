import { CliError } from '@palimpsest/command-line/cli-error';
import { systemReason } from '@palimpsest/command-line/system-reason';
import { systemClock } from '@palimpsest/core';
import { withinDeadline } from '@palimpsest/core/authoring';
import {
  type ConversationStore,
  folderStore,
  hostOf,
  postgresConversations,
  redisConversations,
  watchStore,
} from '../conversations/conversation-store.ts';
import { storeFolder } from './store-folder.ts';

/** How long a database may take to answer at the start, in milliseconds. */
const maxWaitMs = 10_000;

/** The databases, by the beginning of their URL, and the packages that connect to them. */
const databases = [
  { url: /^rediss?:\/\//i, name: 'ioredis', open: redisConversations },
  { url: /^postgres(?:ql)?:\/\//i, name: 'pg', open: postgresConversations },
] as const;

/**
 * Opens the store that `--store` names, so that a mistake is found before an agent works.
 * @param given the URL of a database, or a folder
 * @throws {CliError} if it cannot be used
 */
export async function openStore(given: string, cwd: string): Promise<ConversationStore> {
  const database = databases.find(({ url }) => url.test(given));
  if (database) return openDatabase(given, database);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(given))
    throw CliError.badUsage('--store: name a folder, or write redis://… or postgres://…');
  return watchStore(folderStore(await storeFolder(given, cwd)));
}

async function openDatabase(given: string, { name, open }: (typeof databases)[number]): Promise<ConversationStore> {
  const store = await open(given).catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    throw CliError.badUsage(
      isMissing
        ? `--store needs the package ${name}; run npm install ${name}`
        : `--store: the address of ${hostOf(given)} is invalid`,
      error,
    );
  });
  try {
    await withinDeadline(() => store.sessions.version('trial'), maxWaitMs, systemClock);
    return watchStore(store);
  } catch (error) {
    await store.close().catch(() => undefined);
    throw CliError.badInput(`--store: ${hostOf(given)} cannot be used: ${connectionReason(error)}`, error);
  }
}

/** Why a database does not answer. The Redis client reports only the number of attempts. */
function connectionReason(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || name === 'MaxRetriesPerRequestError'
    ? 'nothing accepts a connection there'
    : systemReason(error);
}
