import { join, relative } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { systemReason } from '@palimpsest/command-line/system-reason';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { filesBelow } from './files-below.ts';
import { fileInput } from './find-inputs.ts';
import type { Input } from './input.ts';

/** Which coding agents' sessions to read from the home folder. */
export interface HomeSessions {
  readonly claudeCode?: boolean | undefined;
  readonly codex?: boolean | undefined;
  /** How many of the newest sessions to read. @default all */
  readonly newest?: number | undefined;
}

/** A coding agent that stores its sessions in the home folder. */
interface Agent {
  readonly name: string;
  /** The environment variable that overrides its folder. */
  readonly variable: string;
  /** The folders that hold its sessions, each with the maximum depth of subfolders. */
  folders(home: string, env: NodeJS.ProcessEnv): readonly (readonly [folder: string, depth: number])[];
  isSession(fileName: string): boolean;
}

const claudeCode: Agent = {
  name: 'Claude Code',
  variable: 'CLAUDE_CONFIG_DIR',
  folders(home, env) {
    const usual = [join(home, '.claude'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'claude')];
    const roots = env.CLAUDE_CONFIG_DIR ? [env.CLAUDE_CONFIG_DIR] : usual;
    return roots.map((root) => [join(root, 'projects'), 1]);
  },
  // A sub-agent's work is part of the session that called it.
  isSession: (name) => name.endsWith('.jsonl') && !name.startsWith('agent-'),
};

const codex: Agent = {
  name: 'Codex',
  variable: 'CODEX_HOME',
  folders(home, env) {
    const root = env.CODEX_HOME || join(home, '.codex');
    return [
      [join(root, 'sessions'), 3],
      [join(root, 'archived_sessions'), 0],
    ];
  },
  isSession: (name) => /^rollout-.*\.jsonl?$/.test(name),
};

/**
 * Finds the sessions of coding agents in the home folder, newest first. A folder that cannot be read is reported and skipped.
 * @throws {CliError} if no session is found
 */
export async function homeInputs(wanted: HomeSessions, { home, env, err }: Terminal): Promise<readonly Input[]> {
  const agents = [...(wanted.claudeCode ? [claudeCode] : []), ...(wanted.codex ? [codex] : [])];
  const found: { readonly path: string; readonly changedMs: number }[] = [];
  const onUnreadable = (folder: string, error: unknown): void => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      err(`palimpsest: skipped: cannot read the folder "${printable(tilde(folder, home))}": ${systemReason(error)}\n`);
  };
  for (const { folders, isSession: accepts } of agents)
    for (const [folder, deepest] of folders(home, env)) {
      const enters = (_: string, depth: number): boolean => depth < deepest;
      for await (const file of filesBelow(folder, { accepts, enters, onUnreadable })) found.push(file);
    }
  if (agents.length > 0 && found.length === 0) throw nothingFound(agents, home, env);
  found.sort((a, b) => b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1));
  return found.slice(0, wanted.newest).map(({ path }) => fileInput(path, tilde(path, home), false));
}

function nothingFound(agents: readonly Agent[], home: string, env: NodeJS.ProcessEnv): CliError {
  const names = agents.map(({ name }) => name).join(' or ');
  const folders = agents.flatMap((agent) => agent.folders(home, env).map(([folder]) => `"${tilde(folder, home)}"`));
  const variables = agents.map(({ variable }) => variable).join(' or ');
  return CliError.badInput(
    `no session of ${names} was found in ${folders.join(' or ')}; pass the files, or set ${variables} to their folder`,
  );
}

function tilde(path: string, home: string): string {
  const below = relative(home, path);
  return below !== '' && !below.startsWith('..') && !below.startsWith('/') ? join('~', below) : path;
}
