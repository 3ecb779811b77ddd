// Runs commands and packs packages, for the scripts that check what users install.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NonZeroExitError, x } from 'tinyexec';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command, on Windows too. @returns its standard output @throws with all of its output when it fails */
export async function run(command, args, cwd = root) {
  try {
    const { stdout } = await x(command, args, { throwOnError: true, nodeOptions: { cwd } });
    return stdout;
  } catch (error) {
    if (!(error instanceof NonZeroExitError)) throw error;
    const { stdout = '', stderr = '' } = error.output ?? {};
    throw new Error(`${command} ${args.join(' ')} failed with exit code ${error.exitCode}:\n${stdout}${stderr}`);
  }
}

export async function readManifest(directory) {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
}

const packedFolder = join(root, 'node_modules/.cache/packed');

/** Packs every published package, and the engine of `examples/third-party-engine`, once for all checks. */
export async function packAll() {
  await rm(packedFolder, { recursive: true, force: true });
  await mkdir(packedFolder, { recursive: true });
  const filters = (await publishedPackages()).flatMap((name) => ['--filter', `./packages/${name}`]);
  const list = await run('pnpm', [
    '--recursive',
    ...filters,
    '--filter',
    './examples/third-party-engine',
    'pack',
    '--json',
    '--pack-destination',
    packedFolder,
  ]);
  await writeFile(join(packedFolder, 'packed.json'), list);
}

/** What `packAll` packed: by the package's name, the tarball's path and the paths of the files in it. */
export async function packedPackages() {
  const list = await readFile(join(packedFolder, 'packed.json'), 'utf8').catch(() => {
    throw new Error('nothing is packed: run "pnpm run check:packages"');
  });
  return new Map(
    JSON.parse(list).map(({ name, filename, files }) => [
      name,
      { tarball: filename, files: files.map(({ path }) => path) },
    ]),
  );
}

/** Names of the folders in packages/ that are published. */
export async function publishedPackages() {
  const names = await readdir(join(root, 'packages'));
  const manifests = await Promise.all(names.map((name) => readManifest(join(root, 'packages', name))));
  return names.filter((_, index) => !manifests[index].private);
}

/** These folders of packages/, and those of the packages of this repository that they depend on. */
export async function withDependencies(names) {
  const needed = new Set(names);
  for (const name of needed) {
    const { dependencies = {} } = await readManifest(join(root, 'packages', name));
    for (const dependency of Object.keys(dependencies))
      if (dependency.startsWith('@palimpsest/')) needed.add(dependency.slice('@palimpsest/'.length));
  }
  return [...needed];
}
