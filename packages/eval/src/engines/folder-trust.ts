import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { LoadedConfig } from '@palimpsest/registry/config';

/** Decides whether code of the current folder may run. @param what the code, such as `palimpsest.config.ts` */
export type FolderTrust = (what: string) => Promise<boolean>;

/** A configuration, and whether code of its folder may run. */
export interface ProjectConfig extends LoadedConfig {
  readonly trust: FolderTrust;
}

/**
 * The trust in the current folder: given once on a terminal, and remembered in the user's home folder. Without
 * a terminal, code of an untrusted folder is ignored, and a line reports it.
 */
export function folderTrust({ cwd, home, err, confirm }: FolderTerminal): FolderTrust {
  let answer: Promise<boolean> | null = null;
  const decide = async (what: string): Promise<boolean> => {
    const folder = await realpath(cwd);
    const known = await readTrustedFolders(home);
    if (known.includes(folder)) return true;
    const shown = printable(folder, 300);
    if (!(await confirm?.(`palimpsest: ${what} in ${shown} runs code with your rights. Trust this folder?`)))
      return false;
    // The answer counts also if it cannot be remembered.
    await writeTrusted(home, [...known, folder]).catch(() => undefined);
    return true;
  };
  return async (what) => {
    answer ??= decide(what);
    const isTrusted = await answer;
    if (!isTrusted)
      err(
        `palimpsest: ignored ${what}: it runs code, and this folder is not trusted; run this command on a terminal to be asked, or name what may run with --config or --engine\n`,
      );
    return isTrusted;
  };
}

/** What {@link folderTrust} needs of a terminal. */
export type FolderTerminal = Pick<Terminal, 'cwd' | 'home' | 'err' | 'confirm'>;

function trustFile(home: string): string {
  return join(home, '.palimpsest', 'trusted-folders.json');
}

async function readTrustedFolders(home: string): Promise<readonly unknown[]> {
  try {
    const folders: unknown = JSON.parse(await readFile(trustFile(home), 'utf8'));
    return Array.isArray(folders) ? folders : [];
  } catch {
    return [];
  }
}

async function writeTrusted(home: string, folders: readonly unknown[]): Promise<void> {
  const file = trustFile(home);
  const draft = `${file}.${process.pid}`;
  await mkdir(join(home, '.palimpsest'), { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify(folders, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
