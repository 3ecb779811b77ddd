import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** Scripts as processes can run them, made from the sources of today. */
export interface BundledProcess {
  /** The first of the sources, to be run by Node. */
  readonly script: string;
  remove(): void;
}

/**
 * Bundles scripts of a package side by side as its build would, for tests that run them as processes; into a folder of
 * its own for each file of tests.
 * @param testFile `import.meta.url` of the test: the scripts find dependencies as its package does
 * @param sources relative to the test
 */
export async function bundleProcess(testFile: string, ...sources: readonly string[]): Promise<BundledProcess> {
  const modules = fileURLToPath(new URL(`${/.*\/(packages|apps)\/[^/]+\//.exec(testFile)![0]}node_modules`));
  mkdirSync(modules, { recursive: true });
  const outDir = mkdtempSync(`${modules}/.process-`);
  const name = (source: string): string => /([^/]+)\.ts$/.exec(source)![1]!;
  await build({
    config: false,
    silent: true,
    entry: Object.fromEntries(sources.map((source) => [name(source), fileURLToPath(new URL(source, testFile))])),
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    // What core bundles, others have no copy of.
    noExternal: [/^@(?:palimpsest|noble)\//],
    // Whatever the working folder's own package.json says: everything but ours stays outside.
    external: [/^(?!@(?:palimpsest|noble)\/)[a-z@][^:]*$/],
    outExtension: () => ({ js: '.js' }),
    esbuildOptions: (options) => {
      options.conditions = ['palimpsest-source'];
    },
  });
  return {
    script: `${outDir}/${name(sources[0]!)}.js`,
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
