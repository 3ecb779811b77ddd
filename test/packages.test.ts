import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The lists of packages in documents and settings repeat what is in the folder `packages`. */
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');
const packages = readdirSync(`${root}/packages`).filter((name) => existsSync(`${root}/packages/${name}/package.json`));
const published = packages.filter((name) => !JSON.parse(read(`packages/${name}/package.json`)).private);

/** Package and layer, as ARCHITECTURE.md states them. */
const layers = new Map(
  [...read('ARCHITECTURE.md').matchAll(/^\| (\d) \| \[`([\w-]+)`\]\(packages\/\2\) \|/gm)].map(
    ([, layer, name]) => [name!, Number(layer)] as const,
  ),
);

/** The allowed imports of each package. */
function allowedImports(): readonly (readonly [name: string, lower: readonly string[]])[] {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
    readonly forbidden: readonly { readonly name: string; readonly to: { readonly pathNot?: string } }[];
  };
  return forbidden.flatMap(({ name, to }) => {
    const own = /^imports-of-(.+)$/.exec(name)?.[1];
    return own === undefined ? [] : [[own, /\(([^)]*)\)/.exec(to.pathNot ?? '')![1]!.split('|')] as const];
  });
}

describe('the list of packages', () => {
  it('in ARCHITECTURE.md has every package', () => {
    expect([...layers.keys()].sort()).toEqual(packages.sort());
  });

  it('in docs/packages.md has every published package', () => {
    const named = [...read('docs/packages.md').matchAll(/\]\(\.\.\/packages\/([\w-]+)\/README\.md\)/g)];
    expect([...new Set(named.map(([, name]) => name))].sort()).toEqual(published.sort());
  });

  it('of allowed imports has every package, and only packages of the same or a lower layer', () => {
    const allowed = allowedImports();
    expect(allowed.map(([name]) => name).sort()).toEqual(packages.sort());
    for (const [name, lower] of allowed)
      for (const other of lower)
        expect([name, other, layers.get(other)! <= layers.get(name)!]).toEqual([name, other, true]);
  });
});
