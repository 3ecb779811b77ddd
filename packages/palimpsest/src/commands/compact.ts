import { CliError } from '@palimpsest/command-line/cli-error';
import { count } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Message, Provenance } from '@palimpsest/core';
import { addEngineOptions, type EngineOptions } from '@palimpsest/eval/engines/engine-options';
import type { Engines } from '@palimpsest/eval/engines/engines';
import { projectEngine } from '@palimpsest/eval/engines/project-config';
import { chooseSummarizer } from '@palimpsest/eval/engines/summarizer-choice';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { keepOriginal } from '@palimpsest/eval/output/keep-original';
import { createProgress } from '@palimpsest/eval/output/progress';
import type { Command } from 'commander';
import { type EngineRow, type EngineRunOptions, isBroken, runEngine } from '../measuring/run-engine.ts';
import { tokenAmount } from '../printing/token-amount.ts';
import { chooseWindow } from '../replay/window-choice.ts';
import { openOutput } from './output.ts';
import { singleInput } from './single-input.ts';

interface CompactCommandOptions extends EngineOptions {
  readonly engine?: string;
  readonly out?: string;
}

/** `palimpsest compact`: compacts a file and writes it in the same format. */
export function addCompact(program: Command, terminal: Terminal): void {
  addEngineOptions(
    program
      .command('compact')
      .summary('compact a transcript file')
      .description(
        'Compact the transcripts of one file and write them in the same format. The engine and its options are those of ' +
          'palimpsest.config.* in this folder.',
      )
      .argument('<input>', 'a file with transcripts, or - for standard input'),
    'one',
  )
    .option('--out <file>', 'output file (default: standard output)')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest compact session.json --out smaller.json
  palimpsest compact session.json --engine prune-compact --budget 32k > smaller.json
  cat session.jsonl | palimpsest compact - --window 64k --force`,
    )
    .action((path: string, options: CompactCommandOptions) => compactFile(path, options, terminal));
}

async function compactFile(path: string, options: CompactCommandOptions, terminal: Terminal): Promise<void> {
  const engines = await projectEngine(options, terminal);
  const run: EngineRunOptions = {
    summarizer: chooseSummarizer(options.summarizer),
    targetTokens: options.budget,
    focusTopic: options.focus,
    force: options.force,
    signal: terminal.signal,
  };
  const input = await singleInput(path, terminal);
  const output = openOutput(options.out, terminal);
  const progress = createProgress(terminal);
  try {
    await keepOriginal(input, output.path, '--out');
    for await (const found of readTranscripts(input)) {
      terminal.signal.throwIfAborted();
      const sample = measureSample(found);
      progress.say(`${found.id}, ${engines.names[0]} …`);
      const { messages, provenance, row, window } = await compactOnce(sample, engines, options.window, run);
      progress.clear();
      for (const value of found.encode(messages, provenance))
        output.write(`${found.layout === 'lines' ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`);
      terminal.err(`${summary(found.id, row, window)}\n`);
    }
    output.commit();
  } finally {
    progress.clear();
    output.discard();
  }
}

async function compactOnce(
  sample: Sample,
  engines: Engines,
  windowTokens: number | undefined,
  options: EngineRunOptions,
): Promise<{ messages: readonly Message[]; provenance: Provenance; row: EngineRow; window: number }> {
  const name = engines.names[0]!;
  const window = chooseWindow(sample.promptTokens, windowTokens).tokens;
  const { row, result } = await runEngine(engines, name, sample, { ...options, windowTokens: window });
  options.signal.throwIfAborted();
  if (!result || result.outcome === 'aborted' || isBroken(row))
    throw CliError.badInput(
      `${printable(sample.found.id, 60)}: the engine ${row.engine} ${row.outcome === 'aborted' ? 'stopped' : 'failed'}: ${endSentence(printable(row.reason, 300))} No file was written; try another --engine`,
    );
  return { messages: result.messages as readonly Message[], provenance: result.provenance, row, window };
}

function summary(id: string, row: EngineRow, window: number): string {
  const sizes = `${count(row.tokensBefore)} -> ${count(row.tokensAfter)} tokens, ${row.messagesBefore} -> ${row.messagesAfter} messages`;
  const how = `${row.engine}, window ${tokenAmount(window)}`;
  return row.outcome === 'unchanged'
    ? `${printable(id, 60)}: unchanged at ${count(row.tokensBefore)} tokens (${how}): ${printable(row.reason, 300)}`
    : `${printable(id, 60)}: ${sizes} (${how})${row.outcome === 'degraded' ? `, degraded: ${printable(row.reason, 300)}` : ''}`;
}

/** A reason as the end of a sentence: with a period, unless it ends a sentence already. */
function endSentence(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}
