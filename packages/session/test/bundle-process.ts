import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** A script as a process can run it, made from the sources of today. */
export interface BundledProcess {
  /** To be run by Node. */
  readonly script: string;
  remove(): void;
}

/** @param source a file of the tests, relative to this folder */
export async function bundleProcess(source: string): Promise<BundledProcess> {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
  mkdirSync(modules, { recursive: true });
  const outDir = mkdtempSync(`${modules}/.process-`);
  await build({
    config: false,
    silent: true,
    entry: { process: fileURLToPath(new URL(source, import.meta.url)) },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    noExternal: [/^@palimpsest\//],
    external: [/^(?!@palimpsest\/)[a-z@][^:]*$/],
    outExtension: () => ({ js: '.js' }),
    esbuildOptions: (options) => {
      options.conditions = ['palimpsest-source'];
    },
  });
  return { script: `${outDir}/process.js`, remove: () => rmSync(outDir, { recursive: true, force: true }) };
}
