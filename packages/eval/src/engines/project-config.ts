import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { defaultEngine } from '@palimpsest/registry';
import type { LoadedConfig } from '@palimpsest/registry/config';
import { chooseEngines, engineReference } from './choose-engines.ts';
import type { Engines } from './engines.ts';
import { type FolderTerminal, folderTrust, type ProjectConfig } from './folder-trust.ts';

/**
 * The configuration of the current folder: `palimpsest.config.*`, with the engine that `PALIMPSEST_ENGINE` names. The
 * variable takes what `--engine` takes. If it names no engine, the error comes when the engine is used. A configuration
 * that runs code is ignored, unless the user trusts the folder, or names the file.
 * @param file a configuration file to read instead
 * @throws {CliError} if the configuration cannot be read
 */
export async function projectConfig(
  terminal: FolderTerminal & Pick<Terminal, 'env'>,
  file?: string | undefined,
): Promise<ProjectConfig> {
  const { cwd, env } = terminal;
  const trust = folderTrust(terminal);
  const { loadConfig } = await import('@palimpsest/registry/config');
  try {
    const mayRunCode = (found: string): Promise<boolean> => trust(basename(found));
    const config = { ...(await loadConfig({ cwd, file, env: {}, mayRunCode })), trust };
    await refuseOutside(config, cwd);
    const named = env.PALIMPSEST_ENGINE?.trim();
    if (!named) return config;
    const engine = await engineReference(named, config, cwd).catch(() => named);
    return { ...config, context: { ...config.context, engine } };
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error;
    throw CliError.badInput(printable(error.message, 600), error);
  }
}

/**
 * The one engine of a command, with its configured options: the named one, else the configured one, else the default.
 * @throws {CliError} as {@link chooseEngines} and {@link projectConfig}
 */
export async function projectEngine(
  { engine: named, config: file }: { readonly engine?: string; readonly config?: string },
  terminal: FolderTerminal & Pick<Terminal, 'env'>,
): Promise<Engines> {
  const config = await projectConfig(terminal, file);
  const source = named === undefined ? 'the configured engine' : '--engine';
  return chooseEngines([named ?? config.context.engine ?? defaultEngine], terminal.cwd, { source, config });
}

/**
 * Refuses engines of a configuration that are files outside the folder, also by a link. A path that the user types may
 * lead anywhere.
 * @throws {CliError}
 */
async function refuseOutside({ context, file }: LoadedConfig, cwd: string): Promise<void> {
  for (const name of [context.engine, context.fallback])
    if (typeof name === 'string' && (await leadsOutside(name, cwd)))
      throw CliError.badInput(
        `${printable(file ?? 'the configuration', 300)}: the engine ${printable(name, 200)} is outside this folder; move it into the folder, install it as a package, or name it with --engine`,
      );
}

async function leadsOutside(name: string, cwd: string): Promise<boolean> {
  const path = resolve(cwd, name.startsWith('file:') ? fileURLToPath(name) : name);
  const way = relative(await realpath(cwd), await realpath(path).catch(() => path));
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
