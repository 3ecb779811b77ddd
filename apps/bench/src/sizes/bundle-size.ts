import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** What one package weighs, minified and gzipped, in bytes. */
export interface BundleSize {
  readonly name: string;
  /** Its own code. */
  readonly alone: number;
  /** With everything it imports, optional peers aside. */
  readonly whole: number;
  /** What the project allows the whole to weigh; `null` where nothing is said. */
  readonly limit: number | null;
}

/** Bundles the root entry of every package from its sources. @param onlyLimited those with a limit only */
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
    // As size-limit has it: without the names of the exports.
    format: 'iife',
    platform: 'node',
    target: 'es2022',
    conditions: ['palimpsest-source'],
    logLevel: 'silent',
    ...(withImports ? { external: Object.keys(peerDependencies) } : { packages: 'external' as const }),
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

/** The limits of `size-limit` on root entries. Its kilobytes have a thousand bytes. */
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
