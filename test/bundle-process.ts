import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Scripts bundled from the sources, to be run as processes. */
export interface BundledProcess {
  /** Path of the first bundled source. Run it with Node. */
  readonly script: string;
  remove(): void;
}

/** Packages of others stay outside, where the file that imports them finds them. Ours are bundled from their sources. */
const packagesOfOthers: Plugin = {
  name: 'packages of others',
  setup({ onResolve, resolve }) {
    const seen = Symbol();
    onResolve({ filter: /^[@a-z]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === seen || path.startsWith('@palimpsest/')) return null;
      if (isBuiltin(path)) return { external: true };
      const found = await resolve(path, { ...from, pluginData: seen });
      // An optional package that is not installed: importing it fails when the script runs.
      return found.errors.length > 0
        ? { path, external: true }
        : { path: from.kind === 'require-call' ? found.path : pathToFileURL(found.path).href, external: true };
    });
  },
};

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles scripts, for tests that run them as processes: they start in a quarter of the time that the sources need. Each
 * call has a folder of its own, in the package of the test.
 * @param testFile `import.meta.url` of the test
 * @param sources paths relative to the test; the scripts are named as they are
 */
export async function bundleProcess(testFile: string, ...sources: readonly string[]): Promise<BundledProcess> {
  const [owner] = /^(?:(?:packages|apps)[\\/][^\\/]+|test)/.exec(fileURLToPath(testFile).slice(root.length))!;
  const modules = `${root}${owner}/node_modules`;
  mkdirSync(modules, { recursive: true });
  const outdir = mkdtempSync(`${modules}/.process-`);
  writeFileSync(`${outdir}/package.json`, '{ "type": "module" }');
  await build({
    absWorkingDir: root,
    entryPoints: sources.map((source) => fileURLToPath(new URL(source, testFile))),
    entryNames: '[name]',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['palimpsest-source'],
    plugins: [packagesOfOthers],
    logLevel: 'error',
  });
  return {
    script: `${outdir}/${/([^/]+)\.ts$/.exec(sources[0]!)![1]}.js`,
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
