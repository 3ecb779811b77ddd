import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningProgram, runningProcess } from '../../../../test/running-process.ts';
import { agentStart } from '../../src/agents/agent-start.ts';
import { agentEnv, type InstalledAgent, type RunFolders } from './agent-run.ts';

/** Starts an agent with the settings that `palimpsest run` gives it, for a proxy that runs already. */
export function startAgent(agent: InstalledAgent, url: string, task: string, folders: RunFolders): RunningProgram {
  const env = agentEnv(agent, folders);
  const { arguments: own = [], env: added, file } = agentStart(agent.name)(url, env);
  const path = join(folders.home, file?.name ?? '');
  if (file) writeFileSync(path, file.text);
  const all = [...own.map((argument) => argument.replace('{file}', path)), ...agent.arguments(task)];
  return runningProcess(agent.program, all, { cwd: folders.cwd, env: { ...env, ...added }, isGroup: true });
}
