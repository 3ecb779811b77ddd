import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Bundle sizes of one package, minified and gzipped, in bytes. */
export interface BundleSize {
  readonly name: string;
  /** Size of its own code. */
  readonly alone: number;
  /** Size with everything it imports, except optional peer dependencies. */
  readonly whole: number;
  /** Limit for `whole`, or `null` if there is none. */
  readonly limit: number | null;
}

/** Bundles the root entry of every package from source. @param onlyLimited true to bundle only packages with a limit */
export async function bundleSizes(onlyLimited: boolean): Promise<BundleSize[]> {
  const limits = limitsByPackage();
  const names = readdirSync(join(repository, 'packages')).filter(
    (name) => existsSync(join(repository, 'packages', name, 'src/index.ts')) && (!onlyLimited || limits.has(name)),
  );
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      alone: await sizeOf(name, false),
      whole: await sizeOf(name, true),
      limit: limits.get(name) ?? null,
    })),
  );
}

async function sizeOf(name: string, withImports: boolean): Promise<number> {
  const folder = join(repository, 'packages', name);
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    peerDependencies?: Record<string, string>;
  };
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'src/index.ts')],
    bundle: true,
    minify: true,
    write: false,
    outfile: 'index.mjs',
    // Like size-limit, without the names of the exports.
    format: 'iife',
    platform: 'node',
    target: 'es2022',
    conditions: ['palimpsest-source'],
    logLevel: 'silent',
    ...(withImports ? { external: Object.keys(peerDependencies) } : { packages: 'external' as const }),
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

/** Reads the `size-limit` limits of root entries. One of its kilobytes is 1,000 bytes. */
function limitsByPackage(): Map<string, number> {
  const limits = JSON.parse(readFileSync(join(repository, '.size-limit.json'), 'utf8')) as {
    path: string;
    limit: string;
  }[];
  return new Map(
    limits.flatMap(({ path, limit }) => {
      const name = /^packages\/([^/]+)\/dist\/index\.js$/.exec(path)?.[1];
      const kilobytes = /^([\d.]+) kB$/.exec(limit)?.[1];
      return name && kilobytes ? [[name, Number(kilobytes) * 1_000] as const] : [];
    }),
  );
}
