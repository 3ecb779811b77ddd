import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { runAgent } from '../agents/run-agent.ts';

const wanted = '@palimpsest/trajectory';

/** `palimpsest trajectory`: the program of `@palimpsest/trajectory`, if it is installed. */
export function addTrajectory(program: Command, terminal: Terminal): void {
  program
    .command('trajectory')
    .summary(`fit data sets of recorded trajectories into a training window; needs ${wanted}`)
    .argument('[arguments...]', `arguments of ${wanted}`)
    // Its own --help is shown.
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (arguments_: readonly string[]) => {
      // In the user's project, or installed beside this program.
      const script = await trajectoryScript([join(terminal.cwd, 'package.json'), import.meta.url]);
      terminal.fail(await runAgent(process.execPath, () => ({}), [script, ...arguments_], '', terminal));
    });
}

/**
 * The path of the program of `@palimpsest/trajectory`.
 * @param places files from which the package is looked for
 * @throws {CliError} if it is not installed
 */
async function trajectoryScript(places: readonly string[]): Promise<string> {
  for (const from of places) {
    const path = resolved(from);
    if (path === null) continue;
    const { bin } = JSON.parse(await readFile(path, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
    return join(dirname(path), Object.values(bin)[0]!);
  }
  throw CliError.badInput(`${wanted} is not installed; install it with: npm install ${wanted}`);
}

function resolved(from: string): string | null {
  try {
    return createRequire(from).resolve(`${wanted}/package.json`);
  } catch {
    return null;
  }
}
