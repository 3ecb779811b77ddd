import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { runningProgram } from '../program/running-program.ts';
import {
  agentEnv,
  endOf,
  type InstalledAgent,
  type RunFolders,
  reported,
  upstreamsOf,
  withFolders,
} from './agent-run.ts';
import { toolProvider } from './tool-provider.ts';

const [window, rounds, task] = [64_000, 100, 'Run the checks.'];
/** Lines at the beginning and at the end. */
const [most, last] = [12, 8];

const introduction = `# Runs of real agents

The output of four agents behind \`palimpsest run\`, written by \`npm run test:agents -- transcripts\`. The provider is a strict
script on the same machine: it refuses invalid requests and those over the window of ${window / 1000}K, has the agent run a command in
each of ${rounds} rounds, and then says "All done.". Left out are the line with the address of the live view, the middle, the options \`--openai\` and \`--anthropic\` with the
address of that provider, and those options of the agent that let it work without asking.
`;

/** Runs each agent once, and writes the beginning and the end of what it prints to docs/agent-runs.md. */
export async function writeTranscripts(agents: readonly InstalledAgent[]): Promise<boolean> {
  const sections: string[] = [];
  for (const agent of agents) {
    const { script } = toolProvider({ window, rounds });
    const server = await startLoopbackServer(script);
    const text = await withFolders(async (folders) => {
      const running = runningProgram(
        ['run', '--window', String(window), ...upstreamsOf(server), '--', agent.program, ...agent.arguments(task)],
        { cwd: folders.cwd, env: agentEnv(agent, folders), isGroup: true },
      );
      const ended = await endOf(running);
      return ended === 0 ? shortened(running.output, folders) : null;
    });
    await server.close();
    if (text === null) return reported(false, `${agent.package}: no transcript`, []);
    sections.push(
      `\n## ${agent.package}\n\n\`\`\`text\n$ npx palimpsest run --window 64k -- ${agent.shown} "${task}"\n${text}\n\`\`\`\n`,
    );
  }
  writeFileSync(new URL('../../docs/agent-runs.md', import.meta.url), introduction + sections.join(''));
  return reported(true, `docs/agent-runs.md, ${agents.length} agents`, []);
}

/** The beginning and the end of an output, without colours and without paths of this machine. */
function shortened(output: string, { cwd, home }: RunFolders): string {
  const lines = stripVTControlCharacters(output)
    .replaceAll(cwd, '~/project')
    .replaceAll(home, '~')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => !line.startsWith('palimpsest: live view on '))
    .filter((line, at, all) => line !== '' || all[at - 1] !== '');
  while (lines.at(-1) === '') lines.pop();
  if (lines.length <= most + last) return lines.join('\n');
  return [...lines.slice(0, most), '...', ...lines.slice(-last)].join('\n');
}
