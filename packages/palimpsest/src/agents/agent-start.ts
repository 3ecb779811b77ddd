import { readFileSync } from 'node:fs';
import { type AgentStart, knownAgents, type StartSettings, type UserSettings } from '@palimpsest/agents';
import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';

/** How to start the programs of known agents, by name. */
const programs: Readonly<Record<string, AgentStart>> = Object.assign({}, ...knownAgents.map((agent) => agent.programs));

/** The names of the programs that are known, in alphabetical order. */
export const knownPrograms: readonly string[] = Object.keys(programs).sort();

/** What a program that is not known gets: variables that many programs read. */
const anyProgram: AgentStart = (user) => ({
  env: { OPENAI_BASE_URL: '{url}/openai/v1', ...settingsOf('claude', user).env, ...settingsOf('gemini', user).env },
});

/**
 * Returns what a program is started with to use the proxy.
 * @param program its name or path
 * @throws {CliError} for a setting of the user with which it cannot use the proxy
 */
export function agentStart(program: string, { env, home }: Pick<Terminal, 'env' | 'home'>): StartSettings {
  const readFile = (path: string): string | null => {
    try {
      return readFileSync(path.replace(/^~(?=\/)/, home), 'utf8');
    } catch {
      return null;
    }
  };
  try {
    return settingsOf(program.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|ps1)$/i, ''), { env, readFile });
  } catch (error) {
    throw CliError.badInput((error as Error).message, error);
  }
}

function settingsOf(name: string, user: UserSettings): StartSettings {
  const start = Object.hasOwn(programs, name) ? programs[name]! : anyProgram;
  return typeof start === 'function' ? start(user) : start;
}
