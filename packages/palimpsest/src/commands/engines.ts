import { CliError } from '@palimpsest/command-line/cli-error';
import { count } from '@palimpsest/command-line/count';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { chooseEngines } from '@palimpsest/eval/engines/choose-engines';
import { configHelp } from '@palimpsest/eval/engines/engine-options';
import type { ProjectConfig } from '@palimpsest/eval/engines/folder-trust';
import { ownEngines } from '@palimpsest/eval/engines/own-engines';
import { projectConfig } from '@palimpsest/eval/engines/project-config';
import { builtInPlugins, createEngineHost } from '@palimpsest/registry';
import type { Command } from 'commander';
import { type Column, renderTable } from '../printing/columns.ts';
import { tokenAmount } from '../printing/token-amount.ts';
import { commonWindows, thresholdAt } from '../replay/window-choice.ts';

/** An engine as `engines --json` prints it. */
interface ListedEngine {
  readonly name: string;
  /** The prompt size in tokens at which it compacts, by window. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly tools: readonly string[];
}

/** `palimpsest engines`: lists the available engines. */
export function addEngines(program: Command, terminal: Terminal): void {
  program
    .command('engines')
    .summary('list the available engines')
    .description(
      'List the built-in engines and those of this folder (from its configuration and plugins/context-engine), with the ' +
        'prompt size at which each compacts, with the options of the configuration.',
    )
    .option('--config <file>', configHelp)
    .option('--json', 'print one JSON document instead of a table')
    .addHelpText('after', '\nExamples:\n  palimpsest engines\n  palimpsest engines --json')
    .action(async ({ json, config }: { readonly json?: boolean; readonly config?: string }) => {
      const engines = await listEngines(terminal, config);
      if (json) {
        terminal.out(`${JSON.stringify({ version: 1, engines }, null, 2)}\n`);
        return;
      }
      const columns: Column<ListedEngine>[] = [
        { heading: '\nengine', align: 'left', cell: (row) => row.name },
        ...commonWindows.map(
          (window): Column<ListedEngine> => ({
            heading: `compacts at\nin ${tokenAmount(window)}`,
            cell: (row) => count(row.thresholds[window]!),
          }),
        ),
        { heading: '\ntools', cell: (row) => row.tools.join(', ') || 'none' },
      ];
      terminal.out(`${renderTable(columns, engines, terminal.columns)}\n`);
    });
}

async function listEngines(terminal: Terminal, file: string | undefined): Promise<ListedEngine[]> {
  const config = await projectConfig(terminal, file);
  const listed = await describeEngines(
    builtInPlugins.map(({ name }) => name),
    config,
    terminal,
  );
  for (const name of await ownEngines(config, terminal.cwd)) {
    try {
      const [engine] = await describeEngines([name], config, terminal);
      if (engine && !listed.some((known) => known.name === engine.name)) listed.push(engine);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      // Report it and list the other engines.
      terminal.err(`palimpsest: ${error.message}\n`);
    }
  }
  return listed;
}

async function describeEngines(
  wanted: readonly string[],
  config: ProjectConfig,
  { cwd }: Terminal,
): Promise<ListedEngine[]> {
  const engines = await chooseEngines(wanted, cwd, { source: 'engine of this folder', config });
  const listed: ListedEngine[] = [];
  for (const name of engines.names) {
    const engine = await engines.start(name, createEngineHost());
    const thresholds: Record<number, number> = {};
    for (const window of commonWindows) thresholds[window] = await thresholdAt(engine, window);
    listed.push({
      name,
      thresholds,
      tools: engine.toolSchemas().map((schema) => schema.function.name),
    });
  }
  return listed;
}
