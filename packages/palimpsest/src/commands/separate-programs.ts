import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { folderTrust } from '@palimpsest/eval/engines/folder-trust';
import type { Command } from 'commander';
import { runAgent } from '../agents/run-agent.ts';

/** Programs in separate packages, by the command that runs them if they are installed. */
const programs = {
  trajectory: {
    wanted: '@palimpsest/trajectory',
    summary: 'fit data sets of recorded trajectories into a training window',
  },
  eval: {
    wanted: '@palimpsest/eval',
    summary: 'measure what a compaction loses: of an engine, a command or a function',
  },
} as const;

/** `palimpsest trajectory` and `palimpsest eval`. */
export function addSeparatePrograms(program: Command, terminal: Terminal): void {
  for (const [name, { wanted, summary }] of Object.entries(programs))
    program
      .command(name)
      .summary(`${summary}; needs ${wanted}`)
      .argument('[arguments...]', `arguments of ${wanted}`)
      // The program shows its own help.
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(async (arguments_: readonly string[]) => {
        const script = await scriptOf(await manifestOf(wanted, terminal));
        terminal.fail(
          await runAgent({ program: process.execPath, settings: {}, arguments: [script, ...arguments_] }, '', terminal),
        );
      });
}

/**
 * The `package.json` of a package: in the user's project, if the user trusts it, or next to this program.
 * @throws {CliError} if it is not installed
 */
async function manifestOf(wanted: string, terminal: Terminal): Promise<string> {
  const beside = resolveFile(wanted, import.meta.url);
  const ofProject = resolveFile(wanted, join(terminal.cwd, 'package.json'));
  if (ofProject !== null && (ofProject === beside || (await folderTrust(terminal)(`the installed ${wanted}`))))
    return ofProject;
  if (beside !== null) return beside;
  throw CliError.badInput(
    ofProject === null
      ? `${wanted} is not installed; install it with: npm install ${wanted}`
      : `${wanted} is installed only in this folder; run it by its own command, or install it with: npm install --global ${wanted}`,
  );
}

/** The path of the program of a package. @param manifest its `package.json` */
async function scriptOf(manifest: string): Promise<string> {
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
  return join(dirname(manifest), Object.values(bin)[0]!);
}

function resolveFile(wanted: string, from: string): string | null {
  try {
    return createRequire(from).resolve(`${wanted}/package.json`);
  } catch {
    return null;
  }
}
