import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Imports a module file: TypeScript with jiti, which works on every supported Node version, other files with Node's
 * `import`. Node caches imported modules for the life of the process.
 */
export async function loadModule(url: string): Promise<unknown> {
  if (!/\.[cm]?ts$/.test(extname(fileURLToPath(url)))) return import(url);
  const { createJiti } = await import('jiti');
  // No disk cache: reading a configuration must not write files.
  return createJiti(url, { fsCache: false }).import(url);
}
