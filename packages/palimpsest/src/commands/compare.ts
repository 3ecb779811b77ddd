import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { chooseEngines } from '@palimpsest/eval/engines/choose-engines';
import { addEngineOptions, type EngineOptions } from '@palimpsest/eval/engines/engine-options';
import { projectConfig } from '@palimpsest/eval/engines/project-config';
import { chooseSummarizer } from '@palimpsest/eval/engines/summarizer-choice';
import { eachSample } from '@palimpsest/eval/inputs/each-sample';
import type { HomeSessions } from '@palimpsest/eval/inputs/home-sessions';
import { addInputOptions, inputsFor } from '@palimpsest/eval/inputs/input-options';
import type { FoundTranscript } from '@palimpsest/eval/inputs/read-transcripts';
import { createProgress } from '@palimpsest/eval/output/progress';
import { builtInPlugins, defaultEngine } from '@palimpsest/registry';
import type { Command } from 'commander';
import { compareSample } from '../comparison/comparison.ts';
import { comparisonScreen } from '../comparison/terminal/comparison-screen.ts';
import { totalsScreen, verdictOnAll } from '../comparison/terminal/totals.ts';
import type { ComparedSample } from '../comparison/to-comparison.ts';
import { type EngineRow, isBroken } from '../measuring/run-engine.ts';
import { openCompareFiles } from './compare-files.ts';
import { jsonReport } from './json-report.ts';

/** Agents that `palimpsest run` starts, by the format of their sessions. */
const agents: Readonly<Record<string, string>> = { claudeCode: 'claude', codex: 'codex' };

interface CompareOptions extends EngineOptions, HomeSessions {
  readonly engine?: readonly string[];
  readonly json?: boolean;
  readonly html?: string;
  readonly card?: string;
}

/** `palimpsest compare`: every engine on every transcript, side by side. */
export function addCompare(program: Command, terminal: Terminal): void {
  addEngineOptions(
    addInputOptions(
      program
        .command('compare')
        .summary('run engines on transcripts and show the difference')
        .description(
          'Run every engine on each transcript, all in the same window, and show the results. Engines have the options of ' +
            'palimpsest.config.* in this folder.',
        ),
    ),
    'several',
  )
    .option('--json', 'print one JSON document instead of text')
    .option('--html <file>', 'also write an HTML page with every message and its outcome')
    .option('--card <file>', 'also draw one picture of requests rescued, tokens and dollars: .svg, or .png')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest compare session.json
  palimpsest compare sessions/ --engine compressor,prune-compact --window 128k
  palimpsest compare --claude-code --newest 5
  palimpsest compare session.jsonl --budget 32k --focus "the failing login test" --html difference.html
  palimpsest compare session.jsonl --card saved.svg
  cat session.json | palimpsest compare - --json`,
    )
    .action((inputs: readonly string[], options: CompareOptions) => compare(inputs, options, terminal));
}

async function compare(inputs: readonly string[], options: CompareOptions, terminal: Terminal): Promise<void> {
  // A replay compacts as an agent would: not before it has to, and without a focus. It compacts many times, and with a
  // model, each summary would cost money.
  const replays = options.summarizer === 'extractive' && !options.force && options.focus === undefined;
  if (options.card !== undefined && !replays)
    throw CliError.badUsage('--card shows a replay, so it takes no --force, --focus or --summarizer; leave them out');
  const config = await projectConfig(terminal, options.config);
  const engines = await chooseEngines(options.engine ?? null, terminal.cwd, { config });
  const summarizer = chooseSummarizer(options.summarizer);
  const files = await openCompareFiles(options, terminal);
  const progress = createProgress(terminal);
  const samples: ComparedSample[] = [];
  const usual = config.context.engine ?? defaultEngine;
  const found = inputsFor(inputs, options, terminal, files.paths);
  try {
    const { passedOver, broken } = await eachSample(found, terminal, async (sample) => {
      const comparison = await compareSample(
        sample,
        engines,
        {
          summarizer,
          windowTokens: options.window,
          targetTokens: options.budget,
          focusTopic: options.focus,
          force: options.force,
          replays,
          signal: terminal.signal,
        },
        (engine) => progress.say(`${samples.length + 1}: ${sample.found.id}, ${engine} …`),
      );
      progress.clear();
      samples.push(comparison.compared);
      files.add(sample, comparison);
      if (options.json) return;
      const { colours, columns } = terminal;
      const next = nextCommand(sample.found, {
        isNamed: inputs.length > 0 && !inputs.includes('-'),
        hasPage: options.html !== undefined,
        engine: engineFor(comparison.verdict.best, usual),
      });
      terminal.out(comparisonScreen(comparison, { colours, columns, next }));
    });
    const all = verdictOnAll(samples);
    const { colours, columns } = terminal;
    const next = runCommand('claude', all && engineFor(all.best, usual));
    if (options.json) terminal.out(jsonReport({ version: 2, samples, passedOver }));
    else if (all) terminal.out(totalsScreen(all, samples.length, { colours, columns, next }));
    files.commit();
    report(
      samples.flatMap(({ engines: rows }) => rows),
      broken,
      terminal,
    );
  } finally {
    progress.clear();
    files.discard();
  }
}

/** Reports results that break the contract, and sets the exit code for scripts. */
function report(results: readonly EngineRow[], broken: boolean, terminal: Terminal): void {
  const bad = results.filter(isBroken);
  if (bad.length > 0)
    terminal.err(
      `palimpsest: ${bad.length} of ${results.length} results break the contract (${[...new Set(bad.map(({ engine }) => engine))].join(', ')}): see their rows\n`,
    );
  if (bad.length > 0 || broken) terminal.fail(1);
}

/**
 * The command that shows more of a transcript, or starts the agent that wrote it.
 * @param done whether the user named the file, whether a page was written, and the engine to name, if `run` would use another
 */
export function nextCommand(
  { file, format }: Pick<FoundTranscript, 'file' | 'format'>,
  done: { readonly isNamed: boolean; readonly hasPage: boolean; readonly engine: string | null },
): string {
  const { isNamed, hasPage, engine } = done;
  const agent = agents[format];
  if (!isNamed || (hasPage && agent)) return runCommand(agent ?? 'claude', engine);
  return hasPage ? `palimpsest inspect ${quote(file)}` : `palimpsest compare ${quote(file)} --html report.html`;
}

function runCommand(agent: string, engine: string | null): string {
  return `palimpsest run ${engine === null ? '' : `--engine ${engine} `}-- ${agent}`;
}

/** The engine to name in a command: the best one, if it is built in and not the usual one. */
function engineFor(best: string | null, usual: string): string | null {
  return best !== usual && builtInPlugins.some(({ name }) => name === best) ? best : null;
}

/** An argument as a shell reads it. */
function quote(argument: string): string {
  return /^[\w./~@:+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
