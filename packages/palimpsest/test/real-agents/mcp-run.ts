import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { programCommand, runningProgram } from '../program/running-program.ts';
import { agentEnv, endOf, type InstalledAgent, lastLine, reported, upstreamsOf, withFolders } from './agent-run.ts';
import { sought, toolProvider } from './tool-provider.ts';

const [window, rounds] = [32_000, 40];

/**
 * Runs an agent in which `palimpsest mcp` is registered. After the last round, the model searches for a line of round 3, which
 * was compacted away by then. @returns whether the answer came back; true for an agent without a registration
 */
export async function isGoodMcpRun(agent: InstalledAgent): Promise<boolean> {
  const registered = agent.mcp?.([...programCommand, 'mcp']);
  if (!registered) return true;
  const { log, script } = toolProvider({ window, rounds, mcpAfter: rounds });
  const server = await startLoopbackServer(script);
  return withFolders(async (folders) => {
    const own = [...(registered.arguments ?? []), ...agent.arguments('Run the checks.')];
    const running = runningProgram(
      ['run', '--window', String(window), ...upstreamsOf(server), '--', agent.program, ...own],
      { cwd: folders.cwd, env: { ...agentEnv(agent, folders), ...registered.env } },
    );
    const ended = await endOf(running);
    const [asked = '', answered = ''] = server.received.slice(-2).map(({ text }) => text);
    const problems = server.received.flatMap((request) => request.problems);
    await server.close();
    const [session = 'no session'] = /Session: \S+/.exec(answered) ?? [];
    const isHidden = !sought.test(asked);
    const isFound = sought.test(answered.slice(answered.indexOf(session))) && session.includes('proxy/');
    const isGood =
      ended === 0 && log.searches === 1 && log.refused === 0 && problems.length === 0 && isHidden && isFound;
    return reported(
      isGood,
      `${agent.package}, MCP recall after ${log.rounds} rounds: ${log.searches} search, ${session}, line ${isHidden ? 'hidden' : 'visible'} before, ${isFound ? 'found' : 'not found'}, exit ${ended}`,
      isGood
        ? [lastLine(running)]
        : [...new Set(problems), answered.slice(answered.indexOf(session)).slice(0, 800), running.stderr.slice(-800)],
    );
  });
}
