import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

// Each test file has its own folder, because test files run in parallel.
const folder = new URL(`../node_modules/.thread-${randomUUID()}/`, import.meta.url);

/** Bundles the worker script from the sources, as a build would, and returns its location. */
export async function buildThreadScript(): Promise<URL> {
  const outDir = fileURLToPath(folder);
  await build({
    config: false,
    silent: true,
    entry: {
      'worker-thread': fileURLToPath(new URL('../src/worker-thread.ts', import.meta.url)),
      // For engine modules: their folder has no packages installed.
      authoring: fileURLToPath(new URL('../../core/src/authoring.ts', import.meta.url)),
    },
    outDir,
    format: 'esm',
    platform: 'node',
    noExternal: [/^@palimpsest\//],
    external: ['jiti', 'zod'],
    outExtension: () => ({ js: '.mjs' }),
    esbuildOptions: (options) => {
      options.conditions = ['palimpsest-source'];
    },
  });
  return new URL(`worker-thread.mjs`, pathToFileURL(`${outDir}/`));
}

/** The import of `writeHandoff` for a module in a temporary folder, after {@link buildThreadScript}. */
export const importWriteHandoff = `import { writeHandoff } from '${new URL('authoring.mjs', folder)}';`;

export async function removeThreadScript(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
