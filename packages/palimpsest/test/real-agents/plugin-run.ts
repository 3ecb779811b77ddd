import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { type RunningProgram, runningProcess } from '../program/running-program.ts';
import { endOf, type RunFolders, reported, withFolders } from './agent-run.ts';
import type { PluginAgent } from './plugin-agents.ts';
import { sought, type ToolProviderLog, toolProvider } from './tool-provider.ts';

/** An agent that is installed, and what it needs. */
export interface InstalledPluginAgent extends PluginAgent {
  /** The path of its program. */
  readonly program: string;
  /** The folder of the Node that runs it; `null` for the one that runs this test. */
  readonly nodeFolder: string | null;
}

/** Rounds of the conversation, and of the task that continues it. */
const [rounds, moreRounds] = [200, 20];
/** The commands of the two tasks print different marks. */
const marks = ['text', 'more'] as const;

/**
 * Has an agent load our plugin from its configuration, work through a long task in a small window, and continue the
 * conversation in a second process. @param plugin the folder of our installed package
 * @returns whether nothing was refused, the agent found what was removed, and its own history is whole
 */
export async function isGoodPluginRun(agent: InstalledPluginAgent, plugin: string): Promise<boolean> {
  const server = await startLoopbackServer();
  return withFolders(async (folders) => {
    const install = agent.configure({ folders, plugin, server });
    const env = environment(agent, folders);
    if (install) {
      const installing = runningProcess(agent.program, install, { cwd: folders.cwd, env, isGroup: true });
      if ((await endOf(installing)) !== 0)
        return reported(false, `${agent.package} ${install[0]}`, [installing.output]);
    }
    const { tasks = { count: 1, rounds } } = agent;
    const first = await work(agent, folders, server, { ...tasks, isContinued: false });
    const second = await work(agent, folders, server, { count: 1, rounds: moreRounds, isContinued: true });
    await server.close();
    const history = agent.history(folders, (...arguments_) => {
      // opencode ends before a pipe has taken all that it prints.
      const file = join(folders.home, 'printed');
      const printed = openSync(file, 'w');
      spawnSync(agent.program, arguments_, {
        cwd: folders.cwd,
        env: { ...process.env, ...env },
        stdio: ['ignore', printed, 'ignore'],
      });
      closeSync(printed);
      return readFileSync(file, 'utf8');
    });
    const lost = [...Array(tasks.count * tasks.rounds).keys()].filter((at) => !history.includes(lastLine(at + 1)));
    const isWhole = lost.length === 0;
    const isGood = isWhole && [first, second].every(({ isClean }) => isClean);
    const what = `${agent.package} with @palimpsest/${agent.plugin} in a window of ${agent.window}`;
    return reported(
      isGood,
      `${what}: ${first.figures}; continued: ${second.figures}; ${isWhole ? 'history whole' : `${lost.length} rounds are not in its history`}`,
      isGood ? [] : [...first.problems, ...second.problems],
    );
  });
}

interface Outcome {
  readonly isClean: boolean;
  readonly figures: string;
  readonly problems: readonly string[];
}

/** Tasks that follow each other in one conversation, each in a process of its own. */
interface Work {
  readonly count: number;
  /** Rounds of each. */
  readonly rounds: number;
  readonly isContinued: boolean;
}

async function work(
  agent: InstalledPluginAgent,
  folders: RunFolders,
  server: LoopbackServer,
  { count, rounds: roundsPerTask, isContinued }: Work,
): Promise<Outcome> {
  const { window } = agent;
  const wanted = count * roundsPerTask;
  const { log, script } = toolProvider({ window, rounds: wanted, roundsPerTask, mark: marks[isContinued ? 1 : 0] });
  server.play(script);
  const ran: TaskRun[] = [];
  let restarts = 0;
  for (let number = 0; number < count; number++) {
    let run = await taskRun(agent, folders, isContinued || number > 0);
    while (agent.restartAfter && run.ended !== 0 && run.running.stderr.includes(agent.restartAfter) && restarts < 9) {
      restarts++;
      run = await taskRun(agent, folders, isContinued || number > 0);
    }
    ran.push(run);
  }
  const problems = [...new Set(server.received.flatMap((request) => request.problems))].slice(0, 3);
  const found = server.received.some(({ text }) => sought.test(text.split('[1] ref ')[1]?.slice(0, 1_000) ?? ''));
  return outcome(ran, log, { wanted, problems, found, window, restarts });
}

async function taskRun(agent: InstalledPluginAgent, folders: RunFolders, isContinued: boolean): Promise<TaskRun> {
  const running = runningProcess(agent.program, agent.arguments('Run the checks.', isContinued), {
    cwd: folders.cwd,
    env: environment(agent, folders),
    isGroup: true,
  });
  return { running, ended: await endOf(running) };
}

interface TaskRun {
  readonly running: RunningProgram;
  readonly ended: number | NodeJS.Signals;
}

function outcome(
  ran: readonly TaskRun[],
  log: ToolProviderLog,
  {
    wanted,
    problems,
    found,
    window,
    restarts,
  }: Readonly<{
    wanted: number;
    problems: string[];
    found: boolean;
    window: number;
    restarts: number;
  }>,
): Outcome {
  const isDone =
    log.rounds === wanted && ran.every(({ running, ended }) => ended === 0 && running.stdout.includes('All done.'));
  return {
    isClean: isDone && log.refused === 0 && problems.length === 0 && found && log.largest <= window,
    figures: `${log.rounds} rounds in ${ran.length} ${ran.length === 1 ? 'task' : 'tasks'}, ${restarts > 0 ? `${restarts} restarts, ` : ''}${log.refused} refused, ${problems.length} invalid, largest ${log.largest} tokens, ${log.cold} cold prompts, ${log.searches} searches, ${found ? 'found' : 'not found'}, exit ${ran.map(({ ended }) => ended).join()}`,
    problems: [
      ...problems,
      ...ran.slice(-1).flatMap(({ running }) => [running.stdout.slice(-300), running.stderr.slice(-1_000)]),
    ],
  };
}

function environment(agent: InstalledPluginAgent, folders: RunFolders): Record<string, string> {
  const path = [agent.nodeFolder, process.env.PATH].filter(Boolean).join(':');
  return { PATH: path, HOME: folders.home, PWD: folders.cwd, ...agent.env(folders) };
}

/** The last line that the command of a round printed in the first task. */
function lastLine(round: number): string {
  return `line 29 of round_${round}: some ${marks[0]} that the tool prints`;
}
