import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Imports a module file: TypeScript through jiti, which runs on every supported Node, anything else by Node itself.
 * Node keeps imported modules for the life of the process.
 */
export async function loadModule(url: string): Promise<unknown> {
  if (!/\.[cm]?ts$/.test(extname(fileURLToPath(url)))) return import(url);
  const { createJiti } = await import('jiti');
  // No cache on disk: reading a configuration should not write files.
  return createJiti(url, { fsCache: false }).import(url);
}
