import { basename } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { defaultEngine } from '@palimpsest/registry';
import { chooseEngines, engineReference } from './choose-engines.ts';
import { refuseOutside } from './configured-path.ts';
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
