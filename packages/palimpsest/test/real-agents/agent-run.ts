import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { LoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import type { RealAgent } from './known-agents.ts';

/** An agent that is installed. */
export interface InstalledAgent extends RealAgent {
  /** The path of its program. */
  readonly program: string;
  /** The folder of the Node that it runs with. @default null: the one that runs this test */
  readonly nodeFolder?: string | null;
}

/** Folders that only one run uses. */
export interface RunFolders {
  readonly home: string;
  readonly cwd: string;
}

const longestMs = 1_200_000;

/** Calls a function with new folders, and removes them afterwards. */
export async function withFolders<Result>(run: (folders: RunFolders) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-agent-'));
  const folders = { home: join(folder, 'home'), cwd: join(folder, 'work') };
  for (const path of Object.values(folders)) mkdirSync(path);
  try {
    return await run(folders);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes the settings of an agent. @returns its variables: its home and keys that no provider accepts */
export function agentEnv(agent: InstalledAgent, { home }: RunFolders): Record<string, string> {
  const { nodeFolder, settings: [path, text] = [] } = agent;
  if (path !== undefined && text !== undefined) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const PATH = [nodeFolder, process.env.PATH].filter(Boolean).join(delimiter);
  return { HOME: home, PATH, OPENAI_API_KEY: 'test-key', ANTHROPIC_API_KEY: 'test-key', ...agent.env(home) };
}

/** The options that make a proxy use a server. */
export function upstreamsOf(server: LoopbackServer): readonly string[] {
  const names = ['openai', 'chatgpt', 'anthropic', 'gemini', 'vertex', 'bedrock', 'ollama'] as const;
  return names.flatMap((name) => [`--${name}`, server[`${name}Url`]]);
}

/** Waits for the end of a run, and ends its process group when it takes too long. @returns its exit code or signal */
export async function endOf({ process: { pid }, ended }: RunningProgram): Promise<number | NodeJS.Signals> {
  const timer = setTimeout(() => process.kill(-pid!, 'SIGKILL'), longestMs);
  const code = await ended;
  clearTimeout(timer);
  return code;
}

/** What the provider found wrong in requests, without those that an agent itself writes wrong. */
export function problemsOf({ received }: LoopbackServer, { invalid }: Pick<RealAgent, 'invalid'>): readonly string[] {
  return received.filter(({ text }) => !invalid?.test(text)).flatMap(({ problems }) => problems);
}

/** Prints a line about a run, and its last words when it failed. @returns whether it was good */
export function reported(isGood: boolean, what: string, details: readonly string[]): boolean {
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${what}`);
  for (const detail of details) if (detail !== '') console.log(`       ${detail}`);
  return isGood;
}

/** The line at the end of `palimpsest run`. */
export function lastLine({ stderr }: RunningProgram): string {
  return stderr.trim().split('\n').at(-1) ?? '';
}
