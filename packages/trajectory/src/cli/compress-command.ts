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

/** Bad rows are told of up to here, and counted from there. */
const mostTold = 20;

/** `palimpsest-trajectory [inputs...]`: files to files, or a filter. */
export function addCompress(program: Command, terminal: Terminal, end: (code: ExitCode) => void): Command {
  return addSettings(
    program
      .command('compress', { isDefault: true })
      .summary('compress files, folders or standard input (the default)')
      .description('Compress trajectories until they fit a training window.')
      .argument('[inputs...]', 'JSONL files, plain or gzipped, or folders of them; none or - for standard input'),
  )
    .option('--out <path>', 'a file, or a folder for several inputs (default: standard output)')
    .option('--resume', 'go on with a run that was interrupted')
    .option('--restart', 'begin a run anew that was interrupted')
    .option(
      '--workers <threads>',
      'threads that compress (default: with --out one a processor, else 1)',
      wholeNumber(1),
    )
    .option('--metrics <file>', 'as a filter: write figures of each trajectory there')
    .option('--rejects <file>', 'as a filter: write bad rows there')
    .option('--quiet', 'say nothing on standard error but what went wrong')
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
    throw usage('--out needs files to read; as a filter, write > instead');
  if (options.resume && options.restart) throw usage('--resume and --restart exclude each other');
  if (options.metrics ?? options.rejects)
    throw usage('--metrics and --rejects are for a filter; with --out they lie beside the output');
  const tell = rejectionTeller(terminal);
  const bar = createProgressBar(options.quiet ? null : terminal.bar);
  try {
    const report = await compressFiles(inputs, {
      ...run,
      out: options.out!,
      unfinished: options.resume ? 'resume' : options.restart ? 'restart' : 'refuse',
      onProgress: (progress) => bar.update(progress),
      onRejected: tell,
    });
    bar.stop();
    tell.end();
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
  if (input === '-' && terminal.stdin.isTTY) throw usage('nothing to read: name a file, or pipe JSONL into it');
  const source = input === '-' ? terminal.stdin : await read(input);
  const metrics = options.metrics === undefined ? undefined : createWriteStream(options.metrics);
  const rejects = options.rejects === undefined ? undefined : createWriteStream(options.rejects);
  const tell = rejectionTeller(terminal);
  const totals = await compressStream(source, terminal.stdout, {
    ...run,
    workers: options.workers,
    name: input,
    metrics,
    rejects,
    onRejected: (line, reason) => tell(input, line, reason),
  });
  for (const stream of [metrics, rejects]) await closed(stream);
  tell.end();
  if (!options.quiet && terminal.bar)
    terminal.err(
      `${counted(totals.rows, 'row')}: ${totals.compressed} compressed, ${totals.stillOverLimit} still over the limit, ${totals.rejected} rejected\n`,
    );
  else if (totals.failed > 0)
    terminal.err(`${totals.failed} trajectories were left as they were: no summary could be had\n`);
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

/** Says which rows are bad, the first of them. */
function rejectionTeller(terminal: Terminal): ((file: string, line: number, reason: string) => void) & { end(): void } {
  let told = 0;
  const tell = (file: string, line: number, reason: string): void => {
    if (++told <= mostTold) terminal.err(`${printable(file, 200)}:${line}: rejected: ${printable(reason, 200)}\n`);
  };
  const end = (): void => {
    if (told > mostTold) terminal.err(`and ${told - mostTold} more\n`);
  };
  return Object.assign(tell, { end });
}

function usage(message: string): PalimpsestError {
  return new PalimpsestError('OPTION_INVALID', `${message}.`, { issues: [{ path: [], message }] });
}
