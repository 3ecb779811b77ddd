import { x } from 'tinyexec';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { runningProcess } from '../../../../test/running-process.ts';
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
import { installPacked } from './install-packed.ts';
import { toolProvider } from './tool-provider.ts';

const [window, rounds] = [32_000, 40];

/**
 * Builds and packs the program, installs the tarballs in an empty folder, and runs an agent there with `npx palimpsest run`.
 * @returns whether the agent got to its end, with compactions
 */
export async function isGoodPackedRun(agent: InstalledAgent): Promise<boolean> {
  const { log, script } = toolProvider({ window, rounds });
  const server = await startLoopbackServer(script);
  return withFolders(async (folders) => {
    const { cwd } = folders;
    await installPacked(cwd, ['palimpsest', 'trajectory']);
    const { stdout: help } = await x('npx', ['--no-install', 'palimpsest', 'trajectory', '--help'], {
      nodeOptions: { cwd },
    });
    const own = ['run', '--window', String(window), ...upstreamsOf(server), '--', agent.program];
    const running = runningProcess(
      'npx',
      ['--no-install', 'palimpsest', ...own, ...agent.arguments('Run the checks.')],
      {
        cwd,
        env: agentEnv(agent, folders),
        isGroup: true,
      },
    );
    const ended = await endOf(running);
    const problems = problemsOf(server, agent);
    await server.close();
    const isDone = ended === 0 && log.rounds === rounds && running.stdout.includes('All done.');
    const hasTrajectory = /--out\b/.test(help);
    const isGood =
      isDone &&
      hasTrajectory &&
      log.refused === 0 &&
      problems.length === 0 &&
      /[1-9]\d* compaction/.test(running.stderr);
    return reported(
      isGood,
      `${agent.package}, npx palimpsest from its tarball: ${log.rounds} rounds, ${log.refused} refused, ${problems.length} invalid, exit ${ended}`,
      isGood ? [lastLine(running)] : [...new Set(problems), running.stderr.slice(-1_500), help.slice(0, 300)],
    );
  });
}
