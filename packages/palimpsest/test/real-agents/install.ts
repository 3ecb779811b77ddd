import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { x } from 'tinyexec';
import type { RealAgent } from './known-agents.ts';
import type { PluginAgent } from './plugin-agents.ts';

/**
 * Installs an agent from npm in a cache folder, unless it is there.
 * @param nodeFolder the folder of the Node that runs its installation; `null` for the one that runs this test
 * @returns the path of its program
 * @throws {Error} when npm cannot install it
 */
async function installed(
  { name, package: wanted }: Pick<RealAgent, 'name' | 'package'>,
  cache: string,
  nodeFolder: string | null = null,
): Promise<string> {
  const folder = join(cache, wanted.replace(/[@/]/g, '-'));
  const program = join(folder, 'node_modules', '.bin', name);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    await x('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, wanted], {
      throwOnError: true,
      nodePath: false,
      nodeOptions: { env: { PATH: [nodeFolder, process.env.PATH].filter(Boolean).join(delimiter) } },
    });
  }
  return program;
}

/** Installs an agent, and the Node that it needs: npm has one as a package. @throws {Error} when npm cannot install one of them */
export async function installedWithNode<Agent extends Pick<PluginAgent, 'name' | 'package' | 'node'>>(
  agent: Agent,
  cache: string,
): Promise<Agent & { readonly program: string; readonly nodeFolder: string | null }> {
  const node = agent.node && (await installed({ name: 'node', package: `node@${agent.node}` }, cache));
  const nodeFolder = node ? dirname(node) : null;
  return { ...agent, program: await installed(agent, cache, nodeFolder), nodeFolder };
}
