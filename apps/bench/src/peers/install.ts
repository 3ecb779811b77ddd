import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const sources = fileURLToPath(new URL('../../peers', import.meta.url));
// In the cache folder of `node_modules`, which version control and our own installs ignore.
const installs = fileURLToPath(new URL('../../../../node_modules/.cache/palimpsest-bench-peers', import.meta.url));

// Install exactly what the lockfile names. Some peers require a newer Node.js than we do but still run; if one does not,
// its process fails and the report says so.
const settings: readonly string[] = [
  '--legacy-peer-deps',
  '--engine-strict=false',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
];

/** Returns the folder a peer runs from. Its name contains a hash of the lockfile, so that new versions get a new install. */
function installFolder(folder: string): string {
  const lock = readFileSync(join(sources, folder, 'package-lock.json'));
  return join(installs, `${folder}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
}

/** Returns the version of a package that a peer's `package.json` requires. */
export function versionOf(folder: string, name: string): string {
  const manifest = readFileSync(join(sources, folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies[name] ?? 'unknown';
}

/** Returns true if the peer's exact versions are installed. */
export function isInstalled(folder: string): boolean {
  return existsSync(join(installFolder(folder), 'installed'));
}

/**
 * Installs a peer's exact versions without running install scripts. Several processes can do so at the same time: each
 * installs in a folder of its own, and the first to finish gives it the final name.
 * @throws when npm fails
 */
async function install(folder: string): Promise<void> {
  await mkdir(installs, { recursive: true });
  const own = await mkdtemp(join(installs, 'unfinished-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(sources, folder, file), join(own, file));
    await promisify(execFile)('npm', ['ci', ...settings], {
      cwd: own,
      timeout: 300_000,
      shell: process.platform === 'win32',
    }).catch(({ stderr, message }: { stderr?: string; message: string }) => {
      const lines = [...(stderr ?? '').matchAll(/^npm error (.*)$/gm)].map(([, line]) => line);
      throw new Error(`npm ci failed: ${lines.slice(0, 3).join('; ') || message}`);
    });
    await writeFile(join(own, 'installed'), '');
    const target = installFolder(folder);
    if (isInstalled(folder)) return;
    await rm(target, { recursive: true, force: true });
    await rename(own, target).catch((error: unknown) => {
      if (!isInstalled(folder)) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Installs the peers that are not installed yet. @returns why some could not be installed, by folder */
export async function installMissing(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (const folder of new Set(folders)) {
    if (isInstalled(folder)) continue;
    process.stderr.write(`installing ${folder} ...\n`);
    try {
      await install(folder);
    } catch (error) {
      failures.set(folder, error instanceof Error ? error.message : String(error));
    }
  }
  return failures;
}

/** Copies a peer's programs into its install folder, with the same relative paths. @returns the folder of the programs */
export async function placePrograms(folder: string): Promise<string> {
  const target = installFolder(folder);
  const programs = join(target, folder);
  await mkdir(programs, { recursive: true });
  for (const [from, to] of [
    [sources, target],
    [join(sources, folder), programs],
  ] as const)
    for (const file of await readdir(from)) if (file.endsWith('.mjs')) await copyFile(join(from, file), join(to, file));
  return programs;
}
