import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartSettings } from '@palimpsest/agents';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { systemReason } from '@palimpsest/command-line/system-reason';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { x } from 'tinyexec';
import { callerEnvironment, windowsProgram } from './caller-path.ts';

/** Signals that end a program. `SIGINT` is separate: in a terminal, the agent gets it as well. */
const forwardedSignals = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** An agent as it is started. */
interface AgentCommand {
  readonly program: string;
  readonly settings: StartSettings;
  readonly arguments: readonly string[];
}

/**
 * Runs an agent in this terminal until it ends. A name without a path is looked up on the caller's search path, never in
 * the current folder or its `node_modules`.
 * @param url the proxy's address
 * @returns its exit code; 128 and the number of the signal that ended it
 * @throws {CliError} when it cannot be started
 */
export async function runAgent(
  { program, settings, arguments: arguments_ }: AgentCommand,
  url: string,
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
): Promise<number> {
  const folder = settings.file ? await mkdtemp(join(tmpdir(), 'palimpsest-run-')) : null;
  try {
    const own = await fillIn(settings, url, folder);
    const callers = callerEnvironment(env, cwd);
    const { process: child } = x(fileOf(program, callers), [...own.arguments, ...arguments_], {
      nodePath: false,
      nodeOptions: { cwd, env: { ...callers, ...own.env }, stdio: 'inherit' },
    });
    if (!child) throw new Error('the process was not created');
    const stopPassing = passSignals((signal) => child.kill(signal));
    try {
      const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      return code ?? 128 + (signal ? constants.signals[signal] : 0);
    } finally {
      stopPassing();
    }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'there is no such program; install it first' : systemReason(error);
    throw CliError.badInput(`${printable(program, 100)} could not be started: ${reason}`, error);
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

/** The file to start. Other systems than Windows search the path as it is meant. */
function fileOf(program: string, env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform !== 'win32' || /[\\/]/.test(program)) return program;
  const found = windowsProgram(program, env);
  if (found === null) throw Object.assign(new Error('not on the search path'), { code: 'ENOENT' });
  return found;
}

/** Writes the file of the settings. @returns variables and arguments with the addresses in them */
export async function fillIn(
  { env = {}, arguments: own = [], file }: StartSettings,
  url: string,
  folder: string | null,
): Promise<{ readonly env: Readonly<Record<string, string>>; readonly arguments: readonly string[] }> {
  const path = join(folder ?? '', file?.name ?? '');
  const fill = (text: string): string => text.replaceAll('{url}', url).replaceAll('{file}', path);
  if (file) await writeFile(path, fill(file.text), { mode: 0o600 });
  return {
    env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text)])),
    arguments: own.map(fill),
  };
}

/** Passes signals on to the agent, which decides whether it ends. @returns a function that stops passing them on */
function passSignals(pass: (signal: NodeJS.Signals) => void): () => void {
  const interrupt = (): void => {
    // A terminal sends Ctrl-C to the agent itself.
    if (!process.stdin.isTTY) pass('SIGINT');
  };
  process.on('SIGINT', interrupt);
  for (const signal of forwardedSignals) process.on(signal, pass);
  return () => {
    process.off('SIGINT', interrupt);
    for (const signal of forwardedSignals) process.off(signal, pass);
  };
}
