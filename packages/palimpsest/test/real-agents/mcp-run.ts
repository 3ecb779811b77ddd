import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { programCommand, runningProgram } from '../program/running-program.ts';
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
import { sought, toolProvider } from './tool-provider.ts';

const [window, rounds] = [48_000, 60];

/**
 * Runs an agent in which `palimpsest mcp` is registered. After the last round, the model searches for a line of round 3, which
 * was compacted away by then. @returns whether the answer came back; true for an agent without a registration
 */
export async function isGoodMcpRun(agent: InstalledAgent): Promise<boolean> {
  const registered = agent.mcp?.([...programCommand, 'mcp']);
  if (!registered) return true;
  const { log, script } = toolProvider({ window, rounds, mcpAfter: rounds, session: registered.session });
  const server = await startLoopbackServer(script);
  return withFolders(async (folders) => {
    const own = [...(registered.arguments ?? []), ...agent.arguments('Run the checks.')];
    const running = runningProgram(
      ['run', '--window', String(window), ...upstreamsOf(server), '--', agent.program, ...own],
      { cwd: folders.cwd, env: { ...agentEnv(agent, folders), ...registered.env }, isGroup: true },
    );
    const ended = await endOf(running);
    // Claude Code also sends requests without tools between them.
    const withTools = server.received.filter(({ body }) => Array.isArray(body.tools) && body.tools.length > 0);
    const at = withTools.findIndex(({ text }) => text.includes('Session: '));
    const [asked = '', answered = ''] = withTools.slice(Math.max(0, at - 1), at + 1).map(({ text }) => text);
    const problems = problemsOf(server, agent);
    await server.close();
    const [session = 'no session'] = /Session: \S+/.exec(answered) ?? [];
    const isHidden = !sought.test(asked);
    const isFound =
      sought.test(answered.slice(answered.indexOf(session))) && session.includes(registered.session ?? 'proxy/');
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
