import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

/** Returns the path of a file in a peer's folder. */
export const pathIn = (folder: string, file: string): string =>
  join(fileURLToPath(new URL('../../peers', import.meta.url)), folder, file);

/** Returns the version of a package that a peer's `package.json` requires. */
export function versionOf(folder: string, name: string): string {
  const manifest = JSON.parse(readFileSync(pathIn(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return manifest.dependencies[name] ?? 'unknown';
}

/** Returns true if the peer's exact versions are installed: npm writes this file at the end of an installation. */
export function isInstalled(folder: string): boolean {
  const installed = pathIn(folder, 'node_modules/.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(pathIn(folder, 'package-lock.json')).mtimeMs;
}

/**
 * Installs peers that are not installed yet, each in its own folder and without running install scripts. Reports on
 * standard error why one could not be installed. @returns true if all are installed
 */
export async function installMissing(folders: readonly string[]): Promise<boolean> {
  for (const folder of new Set(folders)) {
    if (isInstalled(folder)) continue;
    process.stderr.write(`installing ${folder} ...\n`);
    const given = { cwd: pathIn(folder, '.'), timeout: 300_000, shell: process.platform === 'win32' };
    await promisify(execFile)('npm', ['ci', ...settings], given).catch(({ stderr = '', message }: Failure) => {
      const lines = [...stderr.matchAll(/^npm error (.*)$/gm)].map(([, line]) => line);
      process.stderr.write(`${folder}: npm ci failed: ${lines.slice(0, 3).join('; ') || message}\n`);
    });
  }
  return folders.every(isInstalled);
}

interface Failure {
  readonly stderr?: string;
  readonly message: string;
}
