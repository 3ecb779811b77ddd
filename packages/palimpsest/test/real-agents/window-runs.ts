import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { runningProgram } from '../program/running-program.ts';
import {
  agentEnv,
  endOf,
  type InstalledAgent,
  lastLine,
  problemsOf,
  reported,
  upstreamsOf,
  withFolders,
} from './agent-run.ts';
import { recordResult } from './results.ts';
import { toolProvider } from './tool-provider.ts';

/** What the proxy is started with. */
interface Setting {
  readonly window: number;
  readonly rounds: number;
  readonly engine: string;
  readonly recall: boolean;
}

const engines = ['compressor', 'prune-compact'];
const settings: readonly Setting[] = [
  ...engines.map((engine) => ({ window: 32_000, rounds: 100, engine, recall: true })),
  ...engines.map((engine) => ({ window: 128_000, rounds: 200, engine, recall: true })),
  ...[64_000, 200_000].flatMap((window) => engines.map((engine) => ({ window, rounds: 100, engine, recall: false }))),
];

/** Runs an agent in each window with each engine. @param windows only these, if there are any @returns how many runs failed */
export async function windowRuns(agent: InstalledAgent, windows: readonly number[]): Promise<number> {
  let failures = 0;
  for (const setting of settings)
    if (windows.length === 0 || windows.includes(setting.window)) failures += (await isGoodRun(agent, setting)) ? 0 : 1;
  return failures;
}

async function isGoodRun(agent: InstalledAgent, { window, rounds, engine, recall }: Setting): Promise<boolean> {
  const { log, script } = toolProvider({ window, rounds });
  const server = await startLoopbackServer(script);
  return withFolders(async (folders) => {
    const options = ['--window', String(window), '--engine', engine, ...(recall ? [] : ['--no-recall'])];
    const running = runningProgram(
      ['run', ...options, ...upstreamsOf(server), '--', agent.program, ...agent.arguments('Run the checks.')],
      { cwd: folders.cwd, env: agentEnv(agent, folders), isGroup: true },
    );
    const ended = await endOf(running);
    const problems = problemsOf(server, agent);
    await server.close();
    const [, compactions = '0'] = /(\d+) compactions? in/.exec(running.stderr) ?? [];
    const isDone = ended === 0 && log.rounds === rounds && running.stdout.includes('All done.');
    const isValid = log.refused === 0 && problems.length === 0 && log.cold <= Number(compactions);
    const isGood = isDone && isValid && log.unreadLost === 0 && log.instructions === 1;
    // A run that was refused and went on to its end.
    const refused = isDone && log.refused > 0 ? log.refused : undefined;
    const run = {
      window,
      engine,
      rounds: log.rounds,
      compactions: Number(compactions),
      killed: false,
      isGood,
      refused,
    };
    recordResult(agent, server.received, run);
    const figures = [
      `${agent.package}${agent.login ? ` (${agent.login})` : ''}, window ${window}, ${engine}${recall ? '' : ', no recall'}:`,
      `${log.rounds} rounds, ${server.received.length} requests, ${log.refused} refused, ${problems.length} invalid,`,
      `${log.unreadLost} unread results lost, ${Math.floor(log.instructions * 100)} % of the instructions whole,`,
      `${log.searches} searches, ${log.pages} pages, ${compactions} compactions, ${log.cold} cold prompts, largest ${log.largest} tokens, exit ${ended}`,
    ];
    const details = isGood
      ? [lastLine(running)]
      : [...new Set(problems)].slice(0, 3).concat(running.stderr.slice(-1_000));
    return reported(isGood, figures.join(' '), details);
  });
}
