import type { Terminal } from '@palimpsest/command-line/terminal';
import { type Command, InvalidArgumentError } from 'commander';
import { eachSample } from '../each-sample.ts';
import type { HomeSessions } from '../home-sessions.ts';
import { type Inspection, inspectSample } from '../inspection.ts';
import { inspectionText } from '../inspection-text.ts';
import { jsonReport } from '../json-report.ts';
import { inputOptions, inputsFor } from './input-options.ts';

interface InspectOptions extends HomeSessions {
  readonly top: number;
  readonly json?: boolean;
}

/** `palimpsest inspect`: shows what uses the tokens of a transcript. */
export function addInspect(program: Command, terminal: Terminal): void {
  inputOptions(
    program
      .command('inspect')
      .summary('show what uses the tokens of a transcript')
      .description('Show token usage by role, tool and message, and which tokens are stale.'),
  )
    .option('--top <count>', 'how many tools and messages to list', parseTop, 10)
    .option('--json', 'print one JSON document instead of tables')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest inspect session.json
  palimpsest inspect session.json --top 30
  palimpsest inspect --codex --newest 1
  palimpsest inspect sessions/ --json | jq '.transcripts[] | {id, tokens}'`,
    )
    .action(async (inputs: readonly string[], options: InspectOptions) => {
      const { top, json } = options;
      const transcripts: Inspection[] = [];
      const { passedOver, broken } = await eachSample(
        inputsFor(inputs, options, terminal),
        terminal,
        async (sample) => {
          const inspection = inspectSample(sample, top);
          if (json) transcripts.push(inspection);
          else terminal.out(inspectionText(inspection, top, terminal.colours, terminal.columns));
        },
      );
      if (json) terminal.out(jsonReport({ transcripts, passedOver }));
      if (broken) terminal.fail(1);
    });
}

function parseTop(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('Write a number from 1 to 9999.');
  return Number(text);
}
