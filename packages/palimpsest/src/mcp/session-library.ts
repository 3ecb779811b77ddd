import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { readSessions } from '../live-sessions/read-sessions.ts';
import { type OpenSession, searchable } from '../live-sessions/searchable.ts';
import { type FoundSession, findRecordedSessions } from './find-recorded-sessions.ts';

/** The sessions of coding agents on this machine. */
export interface SessionLibrary {
  /** The newest sessions, newest first. */
  list(limit: number): Promise<readonly string[]>;
  /**
   * Opens a session for a search.
   * @param part a part of its name; the newest session whose name contains it
   * @param usual the name of the session to open without a part. @default the newest that can be read
   * @throws {Error} if no session is found
   */
  open(part: string | undefined, usual: string | undefined): Promise<OpenSession>;
}

interface Held extends OpenSession {
  readonly version: string;
}

/** Number of sessions held in memory. */
const maxOpen = 4;

/** Reads the conversations of running proxies, and the sessions that Claude Code and Codex have stored, on demand. */
export function sessionLibrary(terminal: Terminal): SessionLibrary {
  const held = new Map<string, Held>();
  const hold = async (found: FoundSession): Promise<Held> => {
    const { name, version } = found;
    const known = held.get(name);
    const session = known?.version === version ? known : { ...(await searchable(found)), version };
    held.delete(name);
    held.set(name, session);
    if (held.size > maxOpen) held.delete(held.keys().next().value!);
    return session;
  };
  return {
    list: async (limit) => (await allSessions(terminal)).slice(0, limit).map(({ name }) => name),
    async open(part, usual) {
      const all = await allSessions(terminal);
      if (part !== undefined) {
        const named = all.find(({ name }) => name.includes(part));
        if (!named) throw new Error(`No session has "${part}" in its name. list_sessions names them.`);
        return hold(named);
      }
      const before = all.find(({ name }) => name === usual);
      if (before) return hold(before);
      let unreadable: unknown;
      for (const found of all.slice(0, maxOpen))
        try {
          return await hold(found);
        } catch (error) {
          unreadable ??= error;
        }
      throw unreadable;
    },
  };
}

/** Newest first. @throws {CliError} if there is none */
async function allSessions(terminal: Terminal): Promise<readonly FoundSession[]> {
  const proxied = await readSessions(terminal.home);
  const recorded = await findRecordedSessions(terminal).catch((error: unknown) => {
    if (proxied.length > 0 && error instanceof CliError) return [];
    throw error;
  });
  return [...proxied, ...recorded].sort((one, other) => other.changed - one.changed);
}
