import { createEngineHost } from '@palimpsest/registry';
import type { Command } from 'commander';
import { chooseEngines } from '../choose-engines.ts';
import { type Column, renderTable } from '../columns.ts';
import type { Terminal } from '../terminal.ts';
import { count, tokenAmount } from '../token-amount.ts';
import { commonWindows, thresholdAt } from '../window-choice.ts';

/** An engine as `engines --json` prints it. */
interface ListedEngine {
  readonly name: string;
  /** The prompt size that triggers it, by window; tokens. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly tools: readonly string[];
}

/** `palimpsest engines`: which there are. */
export function addEngines(program: Command, terminal: Terminal): void {
  program
    .command('engines')
    .summary('list the engines that come with the program')
    .description('List the engines that come with the program, and at which prompt size each would compress.')
    .option('--json', 'print one JSON document instead of a table')
    .addHelpText('after', '\nExamples:\n  palimpsest engines\n  palimpsest engines --json')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const engines = await listEngines(terminal.cwd);
      if (json) {
        terminal.out(`${JSON.stringify({ version: 1, engines }, null, 2)}\n`);
        return;
      }
      const columns: Column<ListedEngine>[] = [
        { heading: '\nengine', align: 'left', cell: (row) => row.name },
        ...commonWindows.map(
          (window): Column<ListedEngine> => ({
            heading: `compresses at\nin ${tokenAmount(window)}`,
            cell: (row) => count(row.thresholds[window]!),
          }),
        ),
        { heading: '\ntools', cell: (row) => row.tools.join(', ') || 'none' },
      ];
      terminal.out(`${renderTable(columns, engines, terminal.columns)}\n`);
    });
}

async function listEngines(cwd: string): Promise<ListedEngine[]> {
  const listed: ListedEngine[] = [];
  const engines = await chooseEngines(null, cwd);
  for (const name of engines.names) {
    const engine = await engines.start(name, createEngineHost());
    listed.push({
      name,
      thresholds: Object.fromEntries(commonWindows.map((window) => [window, thresholdAt(engine, window)])),
      tools: engine.toolSchemas().map((schema) => schema.function.name),
    });
  }
  return listed;
}
