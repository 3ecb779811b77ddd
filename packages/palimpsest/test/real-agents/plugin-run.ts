import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { type RunningProgram, runningProcess } from '../../../../test/running-process.ts';
import { endOf, type RunFolders, reported, withFolders } from './agent-run.ts';
import { type PluginAgent, textOfFiles } from './plugin-agents.ts';
import { type ToolProviderLog, toolProvider } from './tool-provider.ts';

/** An agent that is installed, and what it needs. */
export interface InstalledPluginAgent extends PluginAgent {
  /** The path of its program. */
  readonly program: string;
  /** The folder of the Node that runs it; `null` for the one that runs this test. */
  readonly nodeFolder: string | null;
}

/** Rounds of the conversation, and of the task that continues it. In the middle of that task, a request is refused. */
const [rounds, moreRounds] = [200, 20];
/** The commands of the two tasks print different marks. */
const marks = ['text', 'more'] as const;

/**
 * Has an agent install our plugin as its users do, work through a long task in a small window, and continue the conversation
 * in a second process, in which a request is refused for its size. @param registry the address of a registry with our packages
 * @returns whether no other request was refused, the agent found what was removed, and its own history is whole
 */
export async function isGoodPluginRun(agent: InstalledPluginAgent, registry: string): Promise<boolean> {
  const server = await startLoopbackServer();
  return withFolders(async (folders) => {
    // pi installs packages for the whole machine.
    writeFileSync(npmSettings(folders), `@palimpsest:registry=${registry}\nprefix=${folders.home}/npm\n`);
    const install = agent.configure({ folders, server });
    const env = environment(agent, folders);
    if (install) {
      const installing = runningProcess(agent.program, install, { cwd: folders.cwd, env, isGroup: true });
      if ((await endOf(installing)) !== 0)
        return reported(false, `${agent.package} ${install[0]}`, [installing.output]);
    }
    const { tasks = { count: 1, rounds } } = agent;
    const first = await work(agent, folders, server, { ...tasks, isContinued: false });
    const second = await work(agent, folders, server, { count: 1, rounds: moreRounds, isContinued: true });
    const isUndone = agent.undo ? await undo(agent, agent.undo, folders) : null;
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
    const isGood = isWhole && isUndone !== false && [first, second].every(({ isClean }) => isClean);
    const what = `${agent.package} with ${agent.plugin} in a window of ${agent.window}`;
    return reported(
      isGood,
      [
        `${what}: ${first.figures}`,
        `continued: ${second.figures}`,
        isWhole ? 'history whole' : `${lost.length} rounds are not in its history`,
        ...(isUndone === null ? [] : [isUndone ? 'undone by a command' : 'not undone']),
      ].join('; '),
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
  /** In the conversation that is there. A request is refused. */
  readonly isContinued: boolean;
}

async function work(
  agent: InstalledPluginAgent,
  folders: RunFolders,
  server: LoopbackServer,
  { count, rounds: roundsPerTask, isContinued }: Work,
): Promise<Outcome> {
  const { window } = agent;
  const { log, script } = toolProvider({
    window,
    rounds: count * roundsPerTask,
    roundsPerTask,
    // A search comes before the refusal: with `-p`, pi 0.73 continues without extensions after it.
    ...(isContinued ? { mark: marks[1], refuseAfter: roundsPerTask / 2 + 1 } : { mark: marks[0] }),
  });
  server.play(script);
  const ran: TaskRun[] = [];
  let restarts = 0;
  while (ran.length < count) {
    const running = runningProcess(agent.program, agent.arguments('Run the checks.', isContinued || ran.length > 0), {
      cwd: folders.cwd,
      env: environment(agent, folders),
      isGroup: true,
    });
    const ended = await endOf(running);
    const isRestarted = agent.restartAfter !== undefined && running.stderr.includes(agent.restartAfter) && restarts < 3;
    if (ended !== 0 && isRestarted) restarts++;
    else ran.push({ running, ended });
  }
  const invalid = [...new Set(server.received.flatMap(({ problems }) => problems))].slice(0, 3);
  const { exit = 0, isSilent = false } = (isContinued && agent.afterRefusal) || {};
  const { running: shown } = ran.find(({ ended }) => ended !== exit) ?? ran.at(-1)!;
  return {
    isClean:
      log.rounds === count * roundsPerTask &&
      ran.every(({ running, ended }) => ended === exit && (isSilent || running.stdout.includes('All done.'))) &&
      log.refused === 0 &&
      invalid.length === 0 &&
      log.found > 0 &&
      log.largest <= window &&
      (!agent.pages || isContinued || hasPages(log)) &&
      hasRecovered(log) === isContinued,
    figures: `${figures(log, ran, invalid.length)}${restarts > 0 ? `, ${restarts} restarts` : ''}`,
    problems: [...invalid, shown.stdout.slice(-300), shown.stderr.slice(-1_000)],
  };
}

/** Has the agent run the command that undoes a compaction. @returns whether the stored state of the session says so */
async function undo(agent: InstalledPluginAgent, command: readonly string[], folders: RunFolders): Promise<boolean> {
  const { cwd, home } = folders;
  await endOf(runningProcess(agent.program, command, { cwd, env: environment(agent, folders), isGroup: true }));
  const state = textOfFiles(home, (name) => name.includes('palimpsest.session.'));
  return state.includes('"undone":true');
}

interface TaskRun {
  readonly running: RunningProgram;
  readonly ended: number | NodeJS.Signals;
}

/** True if a request was refused, and the next one was smaller. */
function hasRecovered({ refusal }: ToolProviderLog): boolean {
  return refusal !== null && refusal.sent !== null && refusal.sent < refusal.refused;
}

/** True if pages were asked for behind the last request, and one was in a later request. */
function hasPages({ pages, continued, withPage }: ToolProviderLog): boolean {
  return pages > 0 && continued === pages && withPage > 0;
}

function figures(log: ToolProviderLog, ran: readonly TaskRun[], invalid: number): string {
  const { refusal } = log;
  return [
    `${log.rounds} rounds in ${ran.length} ${ran.length === 1 ? 'task' : 'tasks'}`,
    `${log.refused} refused`,
    ...(refusal ? [`1 refused at ${refusal.refused} tokens, then ${refusal.sent ?? 'none'} sent`] : []),
    `${invalid} invalid`,
    `largest ${log.largest} tokens`,
    `${log.cold} cold prompts`,
    `${log.pages} pages (${log.continued} behind the last request), in ${log.withPage} requests`,
    `${log.found} of ${log.needed} searches for what was hidden found it`,
    `exit ${ran.map(({ ended }) => ended).join()}`,
  ].join(', ');
}

/** npm started this test, and would pass on its own settings. */
function environment(agent: InstalledPluginAgent, folders: RunFolders): Record<string, string> {
  const path = [agent.nodeFolder, process.env.PATH].filter(Boolean).join(':');
  const settings = npmSettings(folders);
  return { PATH: path, HOME: folders.home, PWD: folders.cwd, npm_config_userconfig: settings, ...agent.env(folders) };
}

function npmSettings({ home }: RunFolders): string {
  return join(home, '.npmrc');
}

/** The last line that the command of a round printed in the first task. */
function lastLine(round: number): string {
  return `line 29 of round_${round}: some ${marks[0]} that the tool prints`;
}
