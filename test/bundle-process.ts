import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** Scripts bundled from the sources, to be run as processes. */
export interface BundledProcess {
  /** Path of the first bundled source. Run it with Node. */
  readonly script: string;
  remove(): void;
}

/**
 * Bundles scripts of a package as its build does, for tests that run them as processes. Each test file gets a folder of
 * its own.
 * @param testFile `import.meta.url` of the test. The scripts resolve dependencies as its package does.
 * @param sources paths relative to the test
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
    // Core bundles @noble/hashes, so other packages cannot resolve it.
    noExternal: [/^@(?:palimpsest|noble)\//],
    // Everything else stays external, whatever the package.json of the working folder says.
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
