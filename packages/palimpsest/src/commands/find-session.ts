import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { type HomeSessions, homeInputs } from '@palimpsest/eval/inputs/home-sessions';
import type { Input } from '@palimpsest/eval/inputs/input';
import { type FoundTranscript, readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { singleInput } from './single-input.ts';

/** The beginning of a path, or the name of a file of transcripts. Names of sessions can have slashes within, such as `proxy/node`. */
const looksLikeFile: RegExp = /^(?:[./~\\]|[a-z]:)|\.(?:jsonl?|txt)$/i;

/** True for a file that exists, and for standard input. @throws {CliError} for the path of a file that does not exist */
export function isFile(session: string, { cwd }: Pick<Terminal, 'cwd'>): boolean {
  if (session === '-' || existsSync(resolve(cwd, session))) return true;
  if (looksLikeFile.test(session)) throw CliError.badInput(`there is no file "${printable(session, 300)}"`);
  return false;
}

/**
 * Finds one session: that of a file or of standard input, the newest recorded one, or the newest with `session` in its path.
 * @throws {CliError} if no session is found, or it cannot be read
 */
export async function findSession(
  session: string | undefined,
  { claudeCode, codex }: Pick<HomeSessions, 'claudeCode' | 'codex'>,
  terminal: Terminal,
): Promise<{ readonly input: Input; readonly found: FoundTranscript }> {
  if (session !== undefined && isFile(session, terminal)) {
    const input = await singleInput(session, terminal);
    for await (const found of readTranscripts(input)) return { input, found };
    throw CliError.badInput(`"${printable(session, 300)}" has no conversation`);
  }
  const wanted = claudeCode || codex ? { claudeCode, codex } : { claudeCode: true, codex: true };
  for (const input of await homeInputs(wanted, terminal)) {
    if (session !== undefined && !input.label.includes(session)) continue;
    try {
      for await (const found of readTranscripts(input)) return { input, found };
    } catch (error) {
      // The home folder also has logs without a conversation.
      if (session !== undefined || !(error instanceof CliError)) throw error;
    }
  }
  throw CliError.badInput(
    session === undefined
      ? 'no recorded session has a conversation'
      : `"${printable(session, 100)}" is neither a file nor a part of the name of a session`,
  );
}
