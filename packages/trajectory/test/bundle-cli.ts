import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** The program as a build makes it, from the sources of today, for tests that run it as processes. */
export interface BundledCli {
  /** The script to be run by Node. */
  readonly script: string;
  remove(): void;
}

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));

/** Bundles program and worker script side by side, into a folder of its own for each file of tests. */
export async function bundleCli(): Promise<BundledCli> {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
  mkdirSync(modules, { recursive: true });
  const outDir = mkdtempSync(`${modules}/.cli-`);
  await build({
    config: false,
    silent: true,
    entry: { cli: source('cli'), 'worker-thread': source('worker-thread') },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    noExternal: [/^@palimpsest\//],
    // Whatever the working folder's own package.json says: everything but ours stays outside.
    external: [/^(?!@palimpsest\/)[a-z@][^:]*$/],
    outExtension: () => ({ js: '.js' }),
    esbuildOptions: (options) => {
      options.conditions = ['palimpsest-source'];
    },
  });
  return { script: `${outDir}/cli.js`, remove: () => rmSync(outDir, { recursive: true, force: true }) };
}
