import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { x } from 'tinyexec';

/**
 * Builds and packs packages of ours. @param names folders below packages/
 * @returns the paths of the tarballs of these packages, and of those of ours that they depend on, by package
 */
export async function packed(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const root = new URL('../../../../', import.meta.url);
  const { packAll, packedPackages, run, withDependencies } = (await import(
    new URL('scripts/pack.mjs', root).href
  )) as Pack;
  const filters = names.map((name) => `--filter=${packageName(name)}...`);
  await run('npx', ['turbo', 'run', 'build', ...filters, '--output-logs=errors-only']);
  await packAll();
  const all = await packedPackages();
  const needed = (await withDependencies(names)).map(packageName);
  return new Map(needed.map((name) => [name, all.get(name)!.tarball]));
}

/**
 * Installs packages of ours from their tarballs in an empty folder, with what they need of others from the registry.
 * @param names folders below packages/
 */
export async function installPacked(folder: string, names: readonly string[]): Promise<void> {
  const tarballs = [...(await packed(names))].map(([name, tarball]) => [name, `file:${tarball}`] as const);
  const manifest = { name: 'new-user', private: true, dependencies: Object.fromEntries(tarballs) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await x('npm', ['install', '--no-audit', '--no-fund'], { throwOnError: true, nodeOptions: { cwd: folder } });
}

function packageName(name: string): string {
  return name === 'palimpsest' ? name : `@palimpsest/${name}`;
}

interface Pack {
  packAll(): Promise<void>;
  packedPackages(): Promise<ReadonlyMap<string, { readonly tarball: string }>>;
  run(command: string, arguments_: readonly string[]): Promise<string>;
  withDependencies(names: readonly string[]): Promise<readonly string[]>;
}
