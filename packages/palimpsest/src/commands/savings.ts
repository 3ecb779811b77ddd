import { count, formatCount } from '@palimpsest/command-line/count';
import { wrapText } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { configHelp } from '@palimpsest/eval/engines/engine-options';
import { parseTokens } from '@palimpsest/eval/engines/parse-tokens';
import { projectEngine } from '@palimpsest/eval/engines/project-config';
import { eachSample } from '@palimpsest/eval/inputs/each-sample';
import type { HomeSessions } from '@palimpsest/eval/inputs/home-sessions';
import { addInputOptions, inputsFor } from '@palimpsest/eval/inputs/input-options';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { type Command, Option } from 'commander';
import { type Column, renderTable } from '../printing/columns.ts';
import { dollars } from '../printing/dollars.ts';
import { tokenAmount } from '../printing/token-amount.ts';
import { examplePrices } from '../replay/replay-cost.ts';
import { addSavingsOf, type SessionSavings, savingsOf } from '../replay/savings.ts';
import { jsonReport } from './json-report.ts';
import { parseModelPrices } from './parse-prices.ts';

/** Default number of sessions. */
const usualSessions = 10;
const usualWindow = 200_000;

interface SavingsFlags extends HomeSessions {
  readonly window: number;
  readonly price: ModelPrices;
  readonly engine?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** `palimpsest savings`: estimates what Palimpsest would have saved in the recorded sessions of this user. */
export function addSavings(program: Command, terminal: Terminal): void {
  addInputOptions(
    program
      .command('savings')
      .summary('estimate what your recorded sessions would have saved')
      .description(
        'Read your newest sessions of Claude Code and Codex, or the given ones, and say how many of their requests would not have fit the window, how often the agent compacted itself, and what Palimpsest would have sent and cost. It needs no network.',
      ),
    String(usualSessions),
  )
    .option('--window <tokens>', "the context window of the agent's model, such as 200k", parseTokens, usualWindow)
    .addOption(
      new Option('--price <dollars>', 'dollars per million tokens: input,output,cached,written to the cache')
        .argParser(parseModelPrices)
        .default(examplePrices, '3,15,0.3,3.75'),
    )
    .option('--engine <name>', 'the engine, by name or path (default: the configured one, or compressor)')
    .option('--config <file>', configHelp)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest savings
  palimpsest savings --claude-code --newest 30
  palimpsest savings --codex --window 272k --price 1.25,10,0.125,1.25`,
    )
    .action((inputs: readonly string[], flags: SavingsFlags) => savings(inputs, flags, terminal));
}

async function savings(inputs: readonly string[], flags: SavingsFlags, terminal: Terminal): Promise<void> {
  const { claudeCode, codex, newest, price, window } = flags;
  const isChosen = inputs.length > 0 || claudeCode || codex;
  const sessions = isChosen ? { claudeCode, codex, newest } : { claudeCode: true, codex: true, newest };
  const engines = await projectEngine(flags, terminal);
  const found: SessionSavings[] = [];
  const wanted = inputs.length > 0 ? sessions : { ...sessions, newest: newest ?? usualSessions };
  const { passedOver } = await eachSample(inputsFor(inputs, wanted, terminal), terminal, async (sample) => {
    found.push(await savingsOf(sample, engines, { windowTokens: window, prices: price }));
  });
  const total = addSavingsOf(found);
  if (flags.json) return terminal.out(jsonReport({ window, prices: price, sessions: found, total, passedOver }));
  const width = terminal.columns ?? 80;
  const table = renderTable(columns, found, width);
  terminal.out(
    `${table}\n\n${wrapText(sentences(total, found.length, flags), width)}\n\nnext: palimpsest run -- claude\n`,
  );
}

const columns: readonly Column<SessionSavings>[] = [
  { heading: '\nsession', align: 'left', cell: ({ id }) => printable(id, 20) },
  { heading: '\nrequests', cell: ({ whole }) => count(whole.requests) },
  { heading: 'largest\nprompt', cell: ({ whole }) => count(whole.largestPrompt) },
  { heading: 'over\nwindow', cell: ({ whole }) => count(whole.overWindow) },
  { heading: 'compacted\nitself', cell: ({ ownCompactions }) => ownCompactions?.toString() ?? 'unknown' },
  { heading: 'whole\nhistory', cell: ({ whole }) => dollars(whole.dollars) },
  { heading: 'with\nPalimpsest', cell: ({ compacted }) => dollars(compacted.dollars) },
];

function sentences(total: SessionSavings, sessions: number, { price, window }: SavingsFlags): string {
  const { compacted, ownCompactions, whole } = total;
  const { overWindow, requests } = whole;
  const own = ownCompactions ? ` The agents compacted themselves ${formatCount(ownCompactions, 'time')}.` : '';
  const fit =
    overWindow === 0
      ? `Every request of ${formatCount(sessions, 'session')} fits a window of ${tokenAmount(window)}.`
      : `${count(overWindow)} of ${formatCount(requests, 'request')} in ${formatCount(sessions, 'session')} would not fit a window of ${tokenAmount(window)} without a compaction.`;
  const left = compacted.overWindow === 0 ? 'all of them fit' : `${count(compacted.overWindow)} do not fit`;
  const change = Math.round((compacted.dollars / whole.dollars - 1) * 100);
  const saved =
    change === 0
      ? 'about as much as the whole history'
      : `${Math.abs(change)} % ${change < 0 ? 'less' : 'more'} than the whole history`;
  const paid = compacted.pages > 0 ? 'input and handoffs' : 'input';
  return [
    `${fit}${own}`,
    `With Palimpsest, ${left}, for ${dollars(compacted.dollars)} of ${paid} instead of ${dollars(whole.dollars)}: ${saved}.`,
    `Prices per million tokens: $${price.input} for input, $${price.cacheRead} cached, $${price.cacheWrite} written to the cache, $${price.output} for output. System prompts and tools of the agents are not in their logs, and are not counted.`,
  ].join('\n');
}
