import { createReadStream, createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { count, formatCount } from '@palimpsest/command-line/count';
import { plainTable } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import cliProgress from 'cli-progress';
import { type Command, CommanderError } from 'commander';
import { compactFiles, type FilesProgress } from '../files/compact-files.ts';
import { compactStream } from '../files/compact-stream.ts';
import { fileFailure } from '../files/file-failure.ts';
import { chooseSummarizer, type RunOptions } from '../files/run.ts';
import { type RunTotals, ratioOf } from '../metrics.ts';
import { addSettings, type SettingsOptions, settingsOf, wholeNumber } from './settings-options.ts';

interface CompactCommandOptions extends SettingsOptions {
  readonly out?: string;
  readonly resume?: boolean;
  readonly workers?: number;
  readonly metrics?: string;
  readonly rejects?: string;
  readonly quiet?: boolean;
}

/** Lists a rejected row. */
type ListRejected = (file: string, line: number, reason: string) => void;

/** Number of rejected rows to list. Further ones are only counted. */
const maxListed = 20;

/** Adds `palimpsest-trajectory [inputs...]`, which compacts files into files, or standard input to standard output. */
export function addCompact(program: Command, signal: AbortSignal): Command {
  return addSettings(
    program
      .command('compact', { isDefault: true })
      .summary('compact files, folders or standard input (the default)')
      .description('Compact trajectories until they fit a training window.')
      .argument('[inputs...]', 'JSONL files, plain or gzipped, or folders; none or - for standard input'),
  )
    .option('--out <path>', 'output file, or folder for several inputs (default: standard output)')
    .option('--resume', 'continue an interrupted run')
    .option('--workers <threads>', 'number of threads (default: one per processor with --out, else 1)', wholeNumber(1))
    .option('--metrics <file>', 'as a filter: write metrics of each trajectory to this file')
    .option('--rejects <file>', 'as a filter: write rejected rows to this file')
    .option('--quiet', 'print only errors on standard error')
    .action(async (inputs: string[], options: CompactCommandOptions) => {
      let rejected = 0;
      const list: ListRejected = (file, line, reason) => {
        if (++rejected <= maxListed)
          process.stderr.write(`${printable(file, 200)}:${line}: rejected: ${printable(reason, 200)}\n`);
      };
      const { out: _, resume: __, quiet: ___, metrics: ____, rejects: _____, summarizerWindow, ...own } = options;
      const summarizer = chooseSummarizer({ ...own, summarizerWindow });
      const run = { ...settingsOf(own), summarizer, signal };
      const totals = await (options.out === undefined ? filter : files)(inputs, options, run, list);
      if (rejected > maxListed) process.stderr.write(`and ${rejected - maxListed} more rejected\n`);
      process.exitCode = totals.rejected > 0 || totals.failed > 0 ? 3 : 0;
    });
}

async function files(
  inputs: string[],
  { out, resume, quiet, metrics, rejects }: CompactCommandOptions,
  run: RunOptions,
  onRejected: ListRejected,
): Promise<RunTotals> {
  if (inputs.length === 0 || inputs.includes('-'))
    throw usage('--out needs input files; to compact standard input, redirect the output with >');
  if (metrics ?? rejects)
    throw usage('--metrics and --rejects cannot be used with --out, which writes these files next to the output');
  const bar = quiet || process.env.TERM === 'dumb' ? null : startProgressBar();
  const { totals, wallMs } = await compactFiles(inputs, {
    ...run,
    out: out!,
    resume,
    onProgress: bar?.show,
    onRejected,
  }).finally(() => bar?.stop());
  if (!quiet) process.stderr.write(`${totalsTable(totals, wallMs)}\n`);
  return totals;
}

async function filter(
  inputs: string[],
  options: CompactCommandOptions,
  run: RunOptions,
  list: ListRejected,
): Promise<RunTotals> {
  if (options.resume) throw usage('--resume needs --out');
  if (inputs.length > 1) throw usage('several inputs need --out with a folder');
  const [name = '-'] = inputs;
  if (name === '-' && process.stdin.isTTY) throw usage('no input: name a file, or pipe JSONL to standard input');
  const open = (file: string | undefined): Writable | undefined => (file ? createWriteStream(file) : undefined);
  const [metrics, rejects] = [open(options.metrics), open(options.rejects)];
  const totals = await compactStream(name === '-' ? process.stdin : read(name), process.stdout, {
    ...run,
    name,
    metrics,
    rejects,
    onRejected: (line, reason) => list(name, line, reason),
  });
  for (const stream of [metrics, rejects]) if (stream) await finished(stream.end());
  if (totals.failed > 0 || (process.stderr.isTTY && !options.quiet))
    process.stderr.write(
      `${formatCount(totals.rows, 'row')}: ${totals.compacted} compacted, ${totals.failed} failed\n`,
    );
  return totals;
}

async function* read(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw fileFailure('read', file, error);
  }
}

/** Starts a progress bar with rate and remaining time. It shows nothing if standard error is not a terminal. */
function startProgressBar(): { show(progress: FilesProgress): void; stop(): void } {
  const format =
    '{bar} {percentage} % | {rows} rows, {rate}/s | {compacted} compacted, {rejected} rejected | {eta_formatted} left';
  const bar = new cliProgress.SingleBar({ format, barsize: 24, hideCursor: true, clearOnComplete: true, fps: 5 });
  const started = Date.now();
  bar.start(1, 0);
  return {
    show({ bytes, totalBytes, totals: { rows, compacted, rejected } }) {
      bar.setTotal(totalBytes);
      bar.update(bytes, { rows, compacted, rejected, rate: count((rows / (Date.now() - started + 1)) * 1_000) });
    },
    stop: () => bar.stop(),
  };
}

/** Formats the totals of a run as a table. @param wallMs elapsed time in milliseconds */
function totalsTable(totals: RunTotals, wallMs: number): string {
  const { rows, turnsBefore, turnsAfter, tokensBefore, tokensAfter, retries, errors } = totals;
  return plainTable(
    ['left', 'right', 'left'],
    [
      ['rows', count(rows), ''],
      ['  under the target', count(totals.skippedUnderTarget), 'untouched'],
      ['  compacted', count(totals.compacted), ''],
      ['  still over the limit', count(totals.stillOverLimit), 'see stillOverLimit in the metrics'],
      ['  failed', count(totals.failed), 'summary failed; unchanged'],
      ['  rejected', count(totals.rejected), 'not trajectories; see the reject file'],
      ['turns', `${count(turnsBefore)} -> ${count(turnsAfter)}`, ''],
      ['tokens', `${count(tokensBefore)} -> ${count(tokensAfter)}`, `${(ratioOf(totals) * 100).toFixed(1)} %`],
      ['calls', count(totals.calls), `${formatCount(retries, 'retry', 'retries')}, ${formatCount(errors, 'error')}`],
      ['seconds', (wallMs / 1000).toFixed(1), `${count((rows / Math.max(1, wallMs)) * 1000)} rows per second`],
    ],
  );
}

const usage = (message: string): CommanderError => new CommanderError(2, 'usage', message);
