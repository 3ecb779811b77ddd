import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
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

/** Installs a peer's exact versions without running install scripts. @throws when npm fails */
export async function install(folder: string): Promise<void> {
  const target = installFolder(folder);
  await mkdir(target, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(sources, folder, file), join(target, file));
  await promisify(execFile)('npm', ['ci', ...settings], {
    cwd: target,
    timeout: 300_000,
    shell: process.platform === 'win32',
  }).catch(({ stderr, message }: { stderr?: string; message: string }) => {
    const lines = [...(stderr ?? '').matchAll(/^npm error (.*)$/gm)].map(([, line]) => line);
    throw new Error(`npm ci failed: ${lines.slice(0, 3).join('; ') || message}`);
  });
  await writeFile(join(target, 'installed'), '');
}

/** Copies a peer's program into its install folder, with the same relative paths. @returns the program's path */
export async function placeProgram(folder: string): Promise<string> {
  const target = installFolder(folder);
  const program = join(target, folder, 'peer.mjs');
  await mkdir(join(target, folder), { recursive: true });
  for (const shared of ['serve.mjs', 'langchain-messages.mjs'])
    await copyFile(join(sources, shared), join(target, shared));
  await copyFile(join(sources, folder, 'peer.mjs'), program);
  return program;
}
