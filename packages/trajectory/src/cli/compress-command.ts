import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import type { Command } from 'commander';
import { compressFiles } from '../node/compress-files.ts';
import { compressStream } from '../node/compress-stream.ts';
import { fileFailure } from '../node/file-failure.ts';
import { openInput } from '../node/input-stream.ts';
import type { RunOptions } from '../node/run-options.ts';
import { chooseSummarizer } from '../node/summarizer-choice.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import { createProgressBar } from './progress-bar.ts';
import { addSettings, type SettingsOptions, settingsOf, wholeNumber } from './settings-options.ts';
import type { Terminal } from './terminal.ts';
import { totalsTable } from './totals-table.ts';

interface CompressOptions extends SettingsOptions {
  readonly out?: string;
  readonly resume?: boolean;
  readonly restart?: boolean;
  readonly workers?: number;
  readonly metrics?: string;
  readonly rejects?: string;
  readonly quiet?: boolean;
}

/** Number of rejected rows to list. Further ones are only counted. */
const maxListed = 20;

/** Adds `palimpsest-trajectory [inputs...]`, which compresses files into files, or standard input to standard output. */
export function addCompress(program: Command, terminal: Terminal, end: (code: ExitCode) => void): Command {
  return addSettings(
    program
      .command('compress', { isDefault: true })
      .summary('compress files, folders or standard input (the default)')
      .description('Compress trajectories until they fit a training window.')
      .argument('[inputs...]', 'JSONL files, plain or gzipped, or folders; none or - for standard input'),
  )
    .option('--out <path>', 'output file, or folder for several inputs (default: standard output)')
    .option('--resume', 'continue an interrupted run')
    .option('--restart', 'restart an interrupted run from the beginning')
    .option('--workers <threads>', 'number of threads (default: one per processor with --out, else 1)', wholeNumber(1))
    .option('--metrics <file>', 'as a filter: write metrics of each trajectory to this file')
    .option('--rejects <file>', 'as a filter: write rejected rows to this file')
    .option('--quiet', 'print only errors on standard error')
    .action(async (inputs: string[], options: CompressOptions) => {
      const run: RunOptions = {
        ...settingsOf(options),
        tokenizer: options.tokenizer,
        summarizer: chooseSummarizer(options, terminal.environment),
        workers: options.workers,
        signal: terminal.signal,
      };
      end(
        options.out === undefined
          ? await filter(inputs, options, run, terminal)
          : await files(inputs, options, run, terminal),
      );
    });
}

async function files(
  inputs: string[],
  options: CompressOptions,
  run: RunOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (inputs.length === 0 || inputs.includes('-'))
    throw usage('--out needs input files; to compress standard input, redirect the output with >');
  if (options.resume && options.restart) throw usage('--resume and --restart cannot be used together');
  if (options.metrics ?? options.rejects)
    throw usage('--metrics and --rejects cannot be used with --out, which writes these files next to the output');
  const list = rejectionList(terminal);
  const bar = createProgressBar(options.quiet ? null : terminal.bar);
  try {
    const report = await compressFiles(inputs, {
      ...run,
      out: options.out!,
      unfinished: options.resume ? 'resume' : options.restart ? 'restart' : 'refuse',
      onProgress: (progress) => bar.update(progress),
      onRejected: list,
    });
    bar.stop();
    list.end();
    if (!options.quiet) terminal.err(`${totalsTable(report.totals, report.wallMs)}\n`);
    return exitCodeOf(report.totals);
  } finally {
    bar.stop();
  }
}

async function filter(
  inputs: string[],
  options: CompressOptions,
  run: RunOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.resume ?? options.restart) throw usage('--resume and --restart need --out');
  if (inputs.length > 1) throw usage('several inputs need --out with a folder');
  const [input = '-'] = inputs;
  if (input === '-' && terminal.stdin.isTTY) throw usage('no input: name a file, or pipe JSONL to standard input');
  const source = input === '-' ? terminal.stdin : await read(input);
  const metrics = options.metrics === undefined ? undefined : createWriteStream(options.metrics);
  const rejects = options.rejects === undefined ? undefined : createWriteStream(options.rejects);
  const list = rejectionList(terminal);
  const totals = await compressStream(source, terminal.stdout, {
    ...run,
    workers: options.workers,
    name: input,
    metrics,
    rejects,
    onRejected: (line, reason) => list(input, line, reason),
  });
  for (const stream of [metrics, rejects]) await closed(stream);
  list.end();
  if (!options.quiet && terminal.bar)
    terminal.err(
      `${counted(totals.rows, 'row')}: ${totals.compressed} compressed, ${totals.stillOverLimit} still over the limit, ${totals.rejected} rejected\n`,
    );
  else if (totals.failed > 0)
    terminal.err(`${totals.failed} trajectories are unchanged because their summary failed\n`);
  return exitCodeOf(totals);
}

async function read(file: string): Promise<AsyncIterable<Uint8Array>> {
  return openInput(file, 0).then(
    ({ chunks }) => chunks,
    (error: unknown) => {
      throw fileFailure('read', file, error);
    },
  );
}

async function closed(stream: Writable | undefined): Promise<void> {
  if (!stream) return;
  stream.end();
  await finished(stream);
}

/** Lists the first rejected rows on standard error, and counts the others. */
function rejectionList(terminal: Terminal): ((file: string, line: number, reason: string) => void) & { end(): void } {
  let rejected = 0;
  const list = (file: string, line: number, reason: string): void => {
    if (++rejected <= maxListed) terminal.err(`${printable(file, 200)}:${line}: rejected: ${printable(reason, 200)}\n`);
  };
  const end = (): void => {
    if (rejected > maxListed) terminal.err(`and ${rejected - maxListed} more\n`);
  };
  return Object.assign(list, { end });
}

function usage(message: string): PalimpsestError {
  return new PalimpsestError('OPTION_INVALID', `${message}.`, { issues: [] });
}
