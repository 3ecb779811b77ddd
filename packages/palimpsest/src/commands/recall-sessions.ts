import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { HomeSessions } from '@palimpsest/eval/inputs/home-sessions';
import type { OpenSession } from '../live-sessions/searchable.ts';
import { isFile } from './find-session.ts';

/**
 * The sessions that `palimpsest recall` searches: those of a file or of standard input, the recorded ones, or the one whose name has
 * `session` in it.
 * @param session default: the newest session
 * @throws {CliError} if no session is found, or one cannot be read
 */
export async function* sessionsOf(
  session: string | undefined,
  flags: HomeSessions,
  terminal: Terminal,
): AsyncGenerator<OpenSession> {
  const { claudeCode, codex, newest } = flags;
  const { searchable } = await import('../live-sessions/searchable.ts');
  const { sessionLibrary } = await import('../mcp/session-library.ts');
  if (claudeCode || codex) {
    if (session !== undefined)
      throw CliError.badUsage('--claude-code and --codex replace the session; pass one or the other');
    const { findRecordedSessions } = await import('../mcp/find-recorded-sessions.ts');
    for (const found of await findRecordedSessions(terminal, flags)) {
      const open = await searchable(found).catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        // The home folder also has logs without a conversation.
        terminal.err(`palimpsest: skipped: ${error.message}\n`);
      });
      if (open) yield open;
    }
    return;
  }
  if (newest !== undefined) throw CliError.badUsage('--newest needs --claude-code or --codex');
  if (session !== undefined && isFile(session, terminal)) {
    const { singleInput } = await import('./single-input.ts');
    const { readTranscripts } = await import('@palimpsest/eval/inputs/read-transcripts');
    for await (const { id, messages } of readTranscripts(await singleInput(session, terminal)))
      yield await searchable({ name: id, messages: async () => messages });
    return;
  }
  const opened = await sessionLibrary(terminal)
    .open(session, undefined)
    .catch((error: unknown) => {
      if (error instanceof CliError || session === undefined) throw error;
      throw CliError.badInput(
        `"${printable(session, 100)}" is neither a file nor a part of the name of a session`,
        error,
      );
    });
  yield opened;
}
