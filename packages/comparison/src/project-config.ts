import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { defaultEngine } from '@palimpsest/registry';
import type { LoadedConfig } from '@palimpsest/registry/config';
import { chooseEngines } from './choose-engines.ts';
import type { Engines } from './engines.ts';

/**
 * The configuration of the current folder: `palimpsest.config.*` and `PALIMPSEST_ENGINE`.
 * @throws {CliError} if it cannot be read
 */
export async function projectConfig({ cwd, env }: Pick<Terminal, 'cwd' | 'env'>): Promise<LoadedConfig> {
  const { loadConfig } = await import('@palimpsest/registry/config');
  try {
    return await loadConfig({ cwd, env });
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
  named: string | undefined,
  terminal: Pick<Terminal, 'cwd' | 'env'>,
): Promise<Engines> {
  const config = await projectConfig(terminal);
  const source = named === undefined ? 'the configured engine' : '--engine';
  return chooseEngines([named ?? config.context.engine ?? defaultEngine], terminal.cwd, { source, config });
}
