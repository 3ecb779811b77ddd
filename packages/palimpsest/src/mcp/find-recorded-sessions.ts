import { stat } from 'node:fs/promises';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Message } from '@palimpsest/core';
import { type HomeSessions, homeInputs } from '@palimpsest/eval/inputs/home-sessions';
import type { Input } from '@palimpsest/eval/inputs/input';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';

/** A session of an agent that can be searched. */
export interface FoundSession {
  /** Its path, or the name of a conversation of a proxy. */
  readonly name: string;
  /** When it last changed, in milliseconds since the epoch. */
  readonly changed: number;
  /** Changes whenever the session does. */
  readonly version: string;
  messages(): Promise<readonly Message[]>;
}

/**
 * The sessions that Claude Code and Codex have stored in the home folder, newest first.
 * @param wanted default: those of both
 * @throws {CliError} if no session is found
 */
export async function findRecordedSessions(
  terminal: Terminal,
  wanted: HomeSessions = { claudeCode: true, codex: true },
): Promise<readonly FoundSession[]> {
  return Promise.all((await homeInputs(wanted, terminal)).map(toFoundSession));
}

async function toFoundSession(input: Input): Promise<FoundSession> {
  // The file may have been removed since it was found.
  const { mtimeMs, size } = await stat(input.path!).catch(() => ({ mtimeMs: 0, size: 0 }));
  return {
    name: input.label,
    changed: mtimeMs,
    version: `${mtimeMs} ${size}`,
    async messages() {
      for await (const { messages } of readTranscripts(input)) return messages;
      return [];
    },
  };
}
