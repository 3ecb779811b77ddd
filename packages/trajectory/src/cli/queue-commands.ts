import { count, formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Command } from 'commander';
import { defaultQueue, defaultRedis, type QueuePlace } from '../queue/connect.ts';
import { type EnqueueOptions, enqueueShards } from '../queue/enqueue.ts';
import { type QueueStatus, queueStatus } from '../queue/status.ts';
import { type QueueWorkerEvent, runQueueWorker } from '../queue/worker.ts';
import { addSettings, type SettingsOptions, settingsOf, wholeNumber } from './settings-options.ts';

/** Adds `enqueue`, `worker` and `status`, which compact files on several machines. */
export function addQueueCommands(program: Command, signal: AbortSignal): void {
  addSettings(
    addPlace(program.command('enqueue'))
      .summary('put files into a queue, one job per file')
      .description('Put shards into a queue on Redis or Valkey, for workers on any number of machines.')
      .argument('<inputs...>', 'JSONL files, plain or gzipped, or folders, on storage that all workers see'),
  )
    .option('--out <folder>', 'output folder', 'compacted')
    .option('--attempts <times>', 'maximum attempts per shard (default: 3)', wholeNumber(1))
    .action(async (inputs: string[], options: SettingsOptions & EnqueueOptions) => {
      const { added, again, known } = await enqueueShards(inputs, settingsOf(options));
      process.stdout.write(
        `${formatCount(added, 'shard')} enqueued, ${again} to run again, ${known} already in the queue\n`,
      );
    });

  addPlace(program.command('worker'))
    .summary('compact the files of a queue')
    .description('Take shards from a queue and compact them, until stopped.')
    .option('--workers <threads>', 'number of threads per shard (default: one per processor)', wholeNumber(1))
    .option('--shards <number>', 'number of concurrent shards (default: 1)', wholeNumber(1))
    .option(
      '--lock <seconds>',
      'a worker that does not respond for this long loses its shard (default: 30)',
      wholeNumber(1),
    )
    .option('--until-done', 'stop when the queue is empty')
    .action(async ({ lock, ...options }: QueuePlace & { readonly lock?: number }) => {
      let lastLine = '';
      const onEvent = (event: QueueWorkerEvent): void => {
        const line = `${event.type}${'input' in event ? ` ${event.input}` : ''}${'reason' in event ? `: ${event.reason}` : ''}`;
        // An unreachable server causes the same error at each attempt to connect.
        if (event.type !== 'error' || line !== lastLine)
          process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${printable(line, 500)}\n`);
        lastLine = line;
      };
      const finished = await runQueueWorker({ ...options, lockMs: lock && lock * 1_000, signal, onEvent });
      process.stderr.write(`${formatCount(finished, 'shard')} finished by this worker\n`);
    });

  addPlace(program.command('status'))
    .summary('show the progress of a queue')
    .description('Show the progress of a queue.')
    .option('--json', 'print JSON')
    .action(async ({ json, ...place }: QueuePlace & { readonly json?: boolean }) => {
      const status = await queueStatus(place);
      process.stdout.write(json ? `${JSON.stringify(status)}\n` : statusText(status));
      process.exitCode = status.shards.failed > 0 ? 3 : 0;
    });
}

function addPlace(command: Command): Command {
  const redis = process.env.REDIS_URL ?? defaultRedis;
  return command
    .addOption(
      command
        .createOption('--redis <url>', `URL of the server (default: the variable REDIS_URL, or ${defaultRedis})`)
        .default(redis, ' '),
    )
    .option('--queue <name>', 'name of the queue', defaultQueue);
}

/** Formats the state of a queue for a terminal. */
function statusText({ queue, workers, shards, totals, active, failures }: QueueStatus): string {
  const { total, done, running, waiting, delayed, failed } = shards;
  const lines = [
    `${queue}: ${formatCount(total, 'shard')}: ${count(done)} done, ${count(running)} running, ` +
      `${count(waiting)} waiting, ${count(delayed)} waiting for a retry, ${count(failed)} failed`,
    `rows of finished shards: ${count(totals.rows)}, ${count(totals.compacted)} compacted, ` +
      `${count(totals.stillOverLimit)} still over the limit, ${count(totals.failed)} failed, ${count(totals.rejected)} rejected`,
    `workers: ${count(workers)}; calls: ${count(totals.calls)}`,
    ...active.map(({ input, progress }) => {
      const share = progress && Math.floor((progress.bytes / Math.max(1, progress.totalBytes)) * 100);
      const by = progress ? `  ${share} %  ${printable(progress.worker, 80)}` : '';
      return `  running  ${printable(input, 200)}${by}`;
    }),
    ...failures.map(
      ({ input, reason, attempts }) =>
        `  failed  ${printable(input, 200)}  after ${formatCount(attempts, 'attempt')}: ${printable(reason, 300)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
