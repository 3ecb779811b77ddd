import { writeFileSync } from 'node:fs';
import { knownAgents } from '@palimpsest/agents';
import { agentsNotTried } from './known-agents.ts';

/** The result of one run of an agent. */
export interface RunResult {
  readonly program: string;
  readonly package: string;
  readonly login?: string | undefined;
  readonly api: string;
  readonly window: number;
  readonly engine: string;
  readonly rounds: number;
  readonly compactions: number;
  /** Whether the proxy was killed and started again. */
  readonly killed: boolean;
  /** Whether the agent got to its end, no request was refused or invalid, and nothing was lost that has to be kept. */
  readonly isGood: boolean;
  /** Requests that were refused for their size, if there were any. */
  readonly refused?: number | undefined;
}

/** The page about the agents that were tried. */
export const agentsPageFile: URL = new URL('../../docs/agents.md', import.meta.url);

/** Windows in the columns of the table. */
const allWindows = [32_000, 64_000, 128_000, 200_000];
const engines = ['compressor', 'prune-compact'];
const usualRounds = 100;

export function writeAgentsPage(results: readonly RunResult[]): void {
  writeFileSync(agentsPageFile, agentsPage(results));
}

/** The text of the page, made of the agents that are known and the results of `npm run test:agents`. */
export function agentsPage(results: readonly RunResult[]): string {
  const tried = [...new Set(results.map(keyOf))].sort();
  const windows = allWindows.filter((window) => results.some((run) => run.window === window));
  const rows = tried.map((key) =>
    row(
      results.filter((run) => keyOf(run) === key),
      windows,
    ),
  );
  const isListed = (name: string): boolean =>
    Object.hasOwn(agentsNotTried, name) || results.some(({ program }) => program === name);
  const programs = knownAgents.map((agent) => Object.keys(agent.programs ?? {}));
  const others = programs.filter((names) => !names.some(isListed)).flat();
  const reasons = Object.entries(agentsNotTried).map(([name, reason]) => `| ${name} | ${reason} |`);
  return `# Tested agents

<!-- Written by "npm run test:agents". -->

Each agent runs with \`palimpsest run\` against a strict provider on the same machine, which refuses invalid requests and those
over the window. In each round, the agent runs a command. Windows of 32K and 128K have the [search](../README.md#search), others not. A cell shows
the number of compactions in ${usualRounds} rounds, unless it says another number of rounds, with \`compressor\` / \`prune-compact\`. In each of these runs, no request was refused or invalid, no result was lost before the model saw it,
all instructions of the host stayed whole, and the agent ended by itself; otherwise the cell says so. *kill -9*: in round 40 of 60 the proxy is killed and started
again, and the agent continues.

| program | package | API | ${windows.map((window) => `${window / 1000}K`).join(' | ')} | kill -9 |
| --- | --- | --- | ${windows.map(() => '---').join(' | ')} | --- |
${rows.join('\n')}

${untried(others)}For other runs, such as two agents at once, see [the README](../README.md#tried-with-real-agents).

## Not tried

| agent | why |
| --- | --- |
${reasons.join('\n')}
`;
}

/** The agents that are known and have no run. */
function untried(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `Known as well, without a run in this table: ${names.map((name) => `\`${name}\``).join(', ')}. `;
}

const keyOf = ({ program, package: version, login }: RunResult): string => JSON.stringify([program, version, login]);

function row(results: readonly RunResult[], windows: readonly number[]): string {
  const { program, package: name, login, api } = results[0]!;
  const cell = (window: number): string => {
    const runs = engines.map((engine) =>
      results.find((run) => run.window === window && run.engine === engine && !run.killed),
    );
    if (runs.every((run) => run === undefined)) return '';
    const rounds = Math.max(...runs.map((run) => run?.rounds ?? 0));
    const outcomes = runs.map((run) => (run?.rounds === rounds ? outcome(run) : 'not run'));
    return `${outcomes.join(' / ')}${rounds === usualRounds ? '' : ` in ${rounds}`}`;
  };
  const killed = results.find((run) => run.killed);
  const end = killed ? (killed.isGood ? 'yes' : 'failed') : '';
  return `| \`${program}\`${login ? `, ${login}` : ''} | ${name} | ${api} | ${windows.map(cell).join(' | ')} | ${end} |`;
}

function outcome(run: RunResult | undefined): string {
  if (!run) return 'not run';
  if (run.isGood) return String(run.compactions);
  return run.refused ? `${run.compactions} (${run.refused} refused)` : `failed after ${run.rounds} rounds`;
}
