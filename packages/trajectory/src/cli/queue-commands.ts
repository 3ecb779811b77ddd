import { counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Command } from 'commander';
import { enqueueShards } from '../queue/enqueue.ts';
import { defaultQueue, defaultRedis } from '../queue/queue-place.ts';
import { type QueueStatus, queueStatus } from '../queue/status.ts';
import { type QueueWorkerEvent, runQueueWorker } from '../queue/worker.ts';
import type { ExitCode } from './exit-code.ts';
import { statusText } from './queue-status-text.ts';
import { addSettings, type SettingsOptions, settingsOf, summarizerOf, wholeNumber } from './settings-options.ts';
import type { Terminal } from './terminal.ts';

interface PlaceOptions {
  readonly redis?: string;
  readonly queue: string;
}

interface EnqueueCommandOptions extends PlaceOptions, SettingsOptions {
  readonly out: string;
  readonly attempts?: number;
  readonly callsPerMinute?: number;
}

interface WorkerCommandOptions extends PlaceOptions {
  readonly workers?: number;
  readonly shards?: number;
  readonly lock?: number;
  readonly untilDone?: boolean;
}

/** `enqueue`, `worker` and `status`: the same work on many machines. */
export function addQueueCommands(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const place = ({ redis, queue }: PlaceOptions): { redis: string | undefined; queue: string } => ({
    redis: redis ?? terminal.environment.REDIS_URL,
    queue,
  });
  addSettings(
    addPlace(program.command('enqueue'))
      .summary('put files into a queue, one job a file')
      .description('Put shards into a queue on Redis or Valkey, for workers on any number of machines.')
      .argument('<inputs...>', 'JSONL files, plain or gzipped, or folders of them, on storage all workers see'),
  )
    .option('--out <folder>', 'where the outputs go', 'compressed')
    .option('--attempts <times>', 'how often a shard is tried (default: 3)', wholeNumber(1))
    .option('--calls-per-minute <calls>', 'what all workers together may ask of the model; 0: no limit', wholeNumber(0))
    .action(async (inputs: string[], options: EnqueueCommandOptions) => {
      const { added, again, known } = await enqueueShards(inputs, {
        ...place(options),
        ...settingsOf(options),
        ...summarizerOf(options),
        out: options.out,
        tokenizer: options.tokenizer,
        attempts: options.attempts,
        callsPerMinute: options.callsPerMinute,
      });
      terminal.stdout.write(`${counted(added, 'shard')} enqueued, ${again} to be done again, ${known} known already\n`);
    });

  addPlace(program.command('worker'))
    .summary('work on a queue')
    .description('Take shards from a queue and compress them, until stopped.')
    .option('--workers <threads>', 'threads that compress a shard (default: one a processor)', wholeNumber(1))
    .option('--shards <number>', 'shards at a time (default: 1)', wholeNumber(1))
    .option(
      '--lock <seconds>',
      'a worker that gives no sign of life so long loses its shard (default: 30)',
      wholeNumber(1),
    )
    .option('--until-done', 'stop when nothing is left to do')
    .action(async (options: WorkerCommandOptions) => {
      let lastError = '';
      const tell = (event: QueueWorkerEvent): void => {
        // A server that is away is an error at each try to reach it.
        if (event.type === 'error' && event.reason === lastError) return;
        lastError = event.type === 'error' ? event.reason : '';
        terminal.err(`${eventLine(event)}\n`);
      };
      const finished = await runQueueWorker({
        ...place(options),
        workers: options.workers,
        shards: options.shards,
        lockMs: options.lock === undefined ? undefined : options.lock * 1_000,
        untilDone: options.untilDone,
        signal: terminal.signal,
        onEvent: tell,
      });
      terminal.err(`${counted(finished, 'shard')} finished here\n`);
    });

  addPlace(program.command('status'))
    .summary('tell how far a queue is')
    .description('Tell how far a queue is.')
    .option('--json', 'as JSON, for a program')
    .action(async (options: PlaceOptions & { readonly json?: boolean }) => {
      const status: QueueStatus = await queueStatus(place(options));
      terminal.stdout.write(options.json ? `${JSON.stringify(status)}\n` : statusText(status));
      end(status.shards.failed > 0 ? 3 : 0);
    });
}

function addPlace(command: Command): Command {
  return command
    .option('--redis <url>', `the server (default: the variable REDIS_URL, or ${defaultRedis})`)
    .option('--queue <name>', 'the name of the queue', defaultQueue);
}

function eventLine(event: QueueWorkerEvent): string {
  const time = new Date().toISOString().slice(11, 19);
  if (event.type === 'error') return `${time} error: ${printable(event.reason, 200)}`;
  const reason = event.type === 'failed' ? `: ${printable(event.reason, 300)}` : '';
  return `${time} ${event.type} ${printable(event.input, 200)}${reason}`;
}
