import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { x } from 'tinyexec';
import type { RealAgent } from './known-agents.ts';

/**
 * Installs an agent from npm in a cache folder, unless it is there.
 * @returns the path of its program
 * @throws {Error} when npm cannot install it
 */
export async function installed({ name, package: wanted }: RealAgent, cache: string): Promise<string> {
  const folder = join(cache, wanted.replace(/[@/]/g, '-'));
  const program = join(folder, 'node_modules', '.bin', name);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    await x('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, wanted], { throwOnError: true });
  }
  return program;
}
