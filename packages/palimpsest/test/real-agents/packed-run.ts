import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { x } from 'tinyexec';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { runningProcess } from '../program/running-program.ts';
import { agentEnv, endOf, type InstalledAgent, lastLine, reported, upstreamsOf, withFolders } from './agent-run.ts';
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
    await installPacked(cwd);
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
    const problems = server.received.flatMap((request) => request.problems);
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

/** Installs the program and the one of its optional package from tarballs, and what it needs of others from the registry. */
async function installPacked(folder: string): Promise<void> {
  const root = new URL('../../../../', import.meta.url);
  const { packAll, packedPackages, run, withDependencies } = (await import(
    new URL('scripts/pack.mjs', root).href
  )) as Pack;
  await run('npx', [
    'turbo',
    'run',
    'build',
    '--filter=palimpsest...',
    '--filter=@palimpsest/trajectory...',
    '--output-logs=errors-only',
  ]);
  const dependencies: Record<string, string> = {};
  await packAll();
  const packed = await packedPackages();
  for (const name of await withDependencies(['palimpsest', 'trajectory'])) {
    const full = name === 'palimpsest' ? name : `@palimpsest/${name}`;
    dependencies[full] = `file:${packed.get(full)!.tarball}`;
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'new-user', private: true, dependencies }));
  await x('npm', ['install', '--no-audit', '--no-fund'], { throwOnError: true, nodeOptions: { cwd: folder } });
}

interface Pack {
  packAll(): Promise<void>;
  packedPackages(): Promise<ReadonlyMap<string, { readonly tarball: string }>>;
  run(command: string, arguments_: readonly string[]): Promise<string>;
  withDependencies(names: readonly string[]): Promise<readonly string[]>;
}
