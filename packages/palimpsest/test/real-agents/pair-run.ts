import { type Received, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { runningProgram } from '../program/running-program.ts';
import { endOf, type InstalledAgent, problemsOf, reported, upstreamsOf, withFolders } from './agent-run.ts';
import { startAgent } from './start-agent.ts';
import { toolProvider } from './tool-provider.ts';

const [window, rounds] = [32_000, 40];
const marks = ['mark-5b1e77c2', 'mark-e90a34d8'] as const;

/**
 * Runs two agents at once behind one proxy. The task and the output of each contain its mark, which is searched for in every
 * request. @returns whether both ended, and no request had the mark of the other
 */
export async function isGoodPairRun(agents: readonly [InstalledAgent, InstalledAgent]): Promise<boolean> {
  const models = marks.map((mark) => toolProvider({ window, rounds, mark }));
  const mixed: Received[] = [];
  const server = await startLoopbackServer((request) => {
    const found = marks.flatMap((mark, at) => (request.text.includes(mark) ? at : []));
    if (found.length > 1) mixed.push(request);
    return models[found[0] ?? 0]!.script(request);
  });
  return withFolders((one) =>
    withFolders(async (other) => {
      const proxy = runningProgram(['proxy', '--port', '0', '--window', String(window), ...upstreamsOf(server)], {
        cwd: one.home,
      });
      const [, url] = await proxy.written(/live view on (http:\S+)/);
      const running = await Promise.all(
        [one, other].map((folders, at) => startAgent(agents[at]!, url!, `Run the checks of ${marks[at]}.`, folders)),
      );
      const ended = await Promise.all(running.map(endOf));
      proxy.process.kill('SIGINT');
      await proxy.ended;
      const problems = problemsOf(server, agents.find(({ invalid }) => invalid) ?? agents[0]);
      await server.close();
      const isDone = running.every(({ stdout }, at) => ended[at] === 0 && stdout.includes('All done.'));
      const compactions = (proxy.stderr.match(/ -> [\d,]+ tokens/g) ?? []).length;
      const [done, refused, cold] = (['rounds', 'refused', 'cold'] as const).map((name) =>
        models.reduce((sum, { log }) => sum + log[name], 0),
      );
      const isClean = mixed.length === 0 && refused === 0 && problems.length === 0;
      const isGood = isDone && isClean && done === 2 * rounds && cold! <= compactions;
      return reported(
        isGood,
        `${agents.map((agent) => agent.package).join(' and ')} at once: ${done} rounds, ${server.received.length} requests, ${mixed.length} with the mark of the other, ${refused} refused, ${problems.length} invalid, ${compactions} compactions, ${cold} cold prompts, exit ${ended}`,
        isGood
          ? []
          : [...new Set(problems), proxy.stderr.slice(-800), ...running.map(({ stderr }) => stderr.slice(-800))],
      );
    }),
  );
}
