import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atMost, inUnit } from '../target.ts';

const repository = new URL('../../../../', import.meta.url);
const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(new URL(path, repository), 'utf8')) as Value;

/** Measures what the root entry of each package adds to a bundle. A quick run leaves out packages without a limit. */
export const sizes: Section = {
  name: 'sizes',
  title: 'Bundle sizes',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const limits = limitsByPackage();
    const names = readdirSync(new URL('packages', repository)).filter(
      (name) => existsSync(new URL(`packages/${name}/src/index.ts`, repository)) && (!quick || limits.has(name)),
    );
    const found = await Promise.all(
      names.sort().map(async (name) => {
        const [alone, whole] = [await kilobytesOf(name, false), await kilobytesOf(name, true)];
        return { name, alone, whole, limit: limits.get(name) };
      }),
    );
    return {
      report: [
        'Root entries, minified and gzipped, kB (1,000 bytes).',
        {
          head: ['package', 'own code', 'with dependencies', 'limit'],
          rows: found.map(({ name, alone, whole, limit }) => [
            `@palimpsest/${name}`,
            ...[alone, whole].map((size) => size.toFixed(1)),
            limit?.toFixed(1) ?? '',
          ]),
        },
      ],
      figures: found,
      broken: found.filter(({ alone }) => alone === 0).map(({ name }) => `the bundle of ${name} is empty`),
      targets: found.flatMap(({ name, whole, limit }) =>
        limit === undefined
          ? []
          : [atMost(name, 'root entry with dependencies, gzipped', limit, whole, inUnit(1, 'kB'))],
      ),
    };
  },
};

/** Bundles the source of a package, with everything it imports except optional peers, or its own code alone. */
async function kilobytesOf(name: string, withImports: boolean): Promise<number> {
  const { peerDependencies = {} } = readJson<{ peerDependencies?: object }>(`packages/${name}/package.json`);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`packages/${name}/src/index.ts`, repository))],
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
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length / 1_000;
}

/** Reads the limits of root entries, in kilobytes of 1,000 bytes, that `npm test` checks with `size-limit`. */
function limitsByPackage(): ReadonlyMap<string, number> {
  const limits = readJson<readonly { readonly path: string; readonly limit: string }[]>('.size-limit.json');
  return new Map(
    limits.flatMap(({ path, limit }) => {
      const name = /^packages\/([^/]+)\/dist\/index\.js$/.exec(path)?.[1];
      return name && limit.endsWith(' kB') ? [[name, Number.parseFloat(limit)] as const] : [];
    }),
  );
}
