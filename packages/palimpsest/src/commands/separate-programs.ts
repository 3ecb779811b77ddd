import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { runAgent } from '../agents/run-agent.ts';

/** Programs that are packages of their own, by the command that runs them if they are installed. */
const programs = {
  trajectory: {
    wanted: '@palimpsest/trajectory',
    summary: 'fit data sets of recorded trajectories into a training window',
  },
  eval: {
    wanted: '@palimpsest/eval',
    summary: 'score how a context is compacted: engines, commands or functions of your own',
  },
} as const;

/** `palimpsest trajectory` and `palimpsest eval`. */
export function addSeparatePrograms(program: Command, terminal: Terminal): void {
  for (const [name, { wanted, summary }] of Object.entries(programs))
    program
      .command(name)
      .summary(`${summary}; needs ${wanted}`)
      .argument('[arguments...]', `arguments of ${wanted}`)
      // Its own --help is shown.
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(async (arguments_: readonly string[]) => {
        // In the user's project, or installed beside this program.
        const script = await scriptOf(wanted, [join(terminal.cwd, 'package.json'), import.meta.url]);
        terminal.fail(await runAgent(process.execPath, () => ({}), [script, ...arguments_], '', terminal));
      });
}

/**
 * The path of the program of a package.
 * @param places files from which the package is looked for
 * @throws {CliError} if it is not installed
 */
async function scriptOf(wanted: string, places: readonly string[]): Promise<string> {
  for (const from of places) {
    const path = resolved(wanted, from);
    if (path === null) continue;
    const { bin } = JSON.parse(await readFile(path, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
    return join(dirname(path), Object.values(bin)[0]!);
  }
  throw CliError.badInput(`${wanted} is not installed; install it with: npm install ${wanted}`);
}

function resolved(wanted: string, from: string): string | null {
  try {
    return createRequire(from).resolve(`${wanted}/package.json`);
  } catch {
    return null;
  }
}
