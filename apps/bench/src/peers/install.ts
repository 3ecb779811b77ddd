import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const sources = fileURLToPath(new URL('../../peers', import.meta.url));
// Beside the workspace's packages, where neither version control nor an install of ours looks.
const installs = fileURLToPath(new URL('../../../../node_modules/.cache/palimpsest-bench-peers', import.meta.url));

// Exactly what the lockfile names. Some peers ask for a newer Node.js than we do and run on ours all the same; whether one
// does, its own process shows.
const settings: readonly string[] = [
  '--legacy-peer-deps',
  '--engine-strict=false',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
];

/** Where a peer's program runs from: named for its lockfile, so that new versions never meet an old install. */
function installFolder(folder: string): string {
  const lock = readFileSync(join(sources, folder, 'package-lock.json'));
  return join(installs, `${folder}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
}

/** The version of a package that a peer's folder asks for. */
export function versionOf(folder: string, name: string): string {
  const manifest = readFileSync(join(sources, folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies[name] ?? 'unknown';
}

/** True when the peer's exact versions are installed. */
export function isInstalled(folder: string): boolean {
  return existsSync(join(installFolder(folder), 'installed'));
}

/** Installs a peer's exact versions, and only those, without running their scripts. @throws when npm fails */
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

/** Copies a peer's program into its install, in the same folders as here. @returns the program's path */
export async function placeProgram(folder: string): Promise<string> {
  const target = installFolder(folder);
  const program = join(target, folder, 'peer.mjs');
  await mkdir(join(target, folder), { recursive: true });
  for (const shared of ['serve.mjs', 'langchain-messages.mjs'])
    await copyFile(join(sources, shared), join(target, shared));
  await copyFile(join(sources, folder, 'peer.mjs'), program);
  return program;
}
