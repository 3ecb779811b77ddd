import { type RunningProgram, runningProcess } from '../../../../test/running-process.ts';
import { agentStart } from '../../src/agents/agent-start.ts';
import { fillIn } from '../../src/agents/run-agent.ts';
import { agentEnv, type InstalledAgent, type RunFolders } from './agent-run.ts';

/** Starts an agent with the settings that `palimpsest run` gives it, for a proxy that runs already. */
export async function startAgent(
  agent: InstalledAgent,
  url: string,
  task: string,
  { home, cwd }: RunFolders,
): Promise<RunningProgram> {
  const env = agentEnv(agent, { home, cwd });
  const own = await fillIn(agentStart(agent.name, { env, home }), url, home);
  return runningProcess(agent.program, [...own.arguments, ...agent.arguments(task)], {
    cwd,
    env: { ...env, ...own.env },
    isGroup: true,
  });
}
