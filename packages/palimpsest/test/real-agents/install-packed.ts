import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { x } from 'tinyexec';

/**
 * Builds and packs packages of ours, and installs them from the tarballs in an empty folder, with what they need of others
 * from the registry. @param names folders below packages/
 */
export async function installPacked(folder: string, names: readonly string[]): Promise<void> {
  const root = new URL('../../../../', import.meta.url);
  const { packAll, packedPackages, run, withDependencies } = (await import(
    new URL('scripts/pack.mjs', root).href
  )) as Pack;
  const filters = names.map((name) => `--filter=${packageName(name)}...`);
  await run('npx', ['turbo', 'run', 'build', ...filters, '--output-logs=errors-only']);
  await packAll();
  const packed = await packedPackages();
  const dependencies: Record<string, string> = {};
  for (const name of await withDependencies(names))
    dependencies[packageName(name)] = `file:${packed.get(packageName(name))!.tarball}`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'new-user', private: true, dependencies }));
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
