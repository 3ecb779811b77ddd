import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Received, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import { runningProgram } from '../program/running-program.ts';
import { endOf, type InstalledAgent, problemsOf, reported, upstreamsOf, withFolders } from './agent-run.ts';
import { recordResult } from './results.ts';
import { startAgent } from './start-agent.ts';
import { toolProvider } from './tool-provider.ts';

const [window, rounds, killedIn] = [32_000, 60, 40];

/**
 * Runs an agent behind a proxy with a state folder, kills the proxy in the middle of an answer, and starts it again on the same
 * port. @returns whether the agent continued to its end, and its next request began with the same messages as the one before
 */
export async function isGoodKilledRun(agent: InstalledAgent): Promise<boolean> {
  let kill = (): void => {};
  const killed = new Promise<void>((resolve) => {
    kill = resolve;
  });
  let isKilled = false;
  let unanswered = 0;
  const { log, script } = toolProvider({
    window,
    rounds,
    instead({ rounds: done }) {
      if (isKilled || done < killedIn) return null;
      isKilled = true;
      kill();
      return { kind: 'stall', at: 'middle' };
    },
  });
  const server = await startLoopbackServer((request, number) => {
    const answer = script(request);
    if (answer.kind === 'stall') unanswered = number;
    return answer;
  });
  return withFolders(async (folders) => {
    const proxy = (port: string): RunningProgram =>
      runningProgram(
        [
          'proxy',
          '--port',
          port,
          '--window',
          String(window),
          '--store',
          join(folders.home, 'state'),
          ...upstreamsOf(server),
        ],
        { cwd: folders.home },
      );
    const first = proxy('0');
    const [, url, port] = await first.written(/live view on (http:\S+:(\d+))/);
    const running = await startAgent(agent, url!, 'Run the checks.', folders);
    await Promise.race([killed, running.ended]);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = proxy(port!);
    const isBack = await second.written(/live view on/).then(
      () => true,
      () => false,
    );
    // Some agents wait for the network as long as it takes.
    if (!isBack) process.kill(-running.process.pid!, 'SIGKILL');
    const ended = await endOf(running);
    second.process.kill('SIGINT');
    await second.ended;
    const problems = problemsOf(server, agent);
    await server.close();
    const [before, after] = [first, second].map(({ stderr }) => (stderr.match(/ -> [\d,]+ tokens/g) ?? []).length);
    const isDone = ended === 0 && isKilled && log.rounds === rounds && running.stdout.includes('All done.');
    const [sent, next] = server.received.slice(unanswered, unanswered + 2).map(messagesIn);
    const isSame = before! > 0 && isDeepStrictEqual(next?.slice(0, sent!.length), sent);
    const isGood = isDone && isSame && log.refused === 0 && problems.length === 0;
    const run = {
      window,
      engine: 'compressor',
      rounds: log.rounds,
      compactions: before! + after!,
      killed: true,
      isGood,
    };
    recordResult(agent, server.received, run);
    return reported(
      isGood,
      `${agent.package}, proxy killed in round ${killedIn}: ${log.rounds} rounds, ${log.refused} refused, ${problems.length} invalid, ${before} compactions before it and ${after} after it, ${isSame ? 'the same' : 'other'} messages after it, exit ${ended}`,
      isGood ? [] : [...new Set(problems), running.stderr.slice(-800), second.stderr.slice(-800)],
    );
  });
}

function messagesIn({ body }: Received): readonly unknown[] {
  return (body.messages ?? body.input ?? body.contents) as readonly unknown[];
}
