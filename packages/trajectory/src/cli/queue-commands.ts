import { counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Command } from 'commander';
import { enqueueShards } from '../queue/enqueue.ts';
import { defaultQueue, defaultRedis, type QueuePlace } from '../queue/queue-place.ts';
import { type QueueStatus, queueStatus } from '../queue/status.ts';
import { runQueueWorker } from '../queue/worker.ts';
import type { QueueWorkerEvent } from '../queue/worker-event.ts';
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

/** Adds `enqueue`, `worker` and `status`, which compress files on several machines. */
export function addQueueCommands(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  addEnqueue(program, terminal);
  addWorker(program, terminal);
  addStatus(program, terminal, end);
}

function addEnqueue(program: Command, terminal: Terminal): void {
  addSettings(
    addPlace(program.command('enqueue'))
      .summary('put files into a queue, one job per file')
      .description('Put shards into a queue on Redis or Valkey, for workers on any number of machines.')
      .argument('<inputs...>', 'JSONL files, plain or gzipped, or folders, on storage that all workers see'),
  )
    .option('--out <folder>', 'output folder', 'compressed')
    .option('--attempts <times>', 'maximum attempts per shard (default: 3)', wholeNumber(1))
    .option(
      '--calls-per-minute <calls>',
      'limit on calls to the model for all workers together; 0: no limit',
      wholeNumber(0),
    )
    .action(async (inputs: string[], options: EnqueueCommandOptions) => {
      const { added, again, known } = await enqueueShards(inputs, {
        ...placeOf(options, terminal),
        ...settingsOf(options),
        ...summarizerOf(options),
        out: options.out,
        tokenizer: options.tokenizer,
        attempts: options.attempts,
        callsPerMinute: options.callsPerMinute,
      });
      terminal.stdout.write(
        `${counted(added, 'shard')} enqueued, ${again} to run again, ${known} already in the queue\n`,
      );
    });
}

function addWorker(program: Command, terminal: Terminal): void {
  addPlace(program.command('worker'))
    .summary('compress the files of a queue')
    .description('Take shards from a queue and compress them, until stopped.')
    .option('--workers <threads>', 'number of threads per shard (default: one per processor)', wholeNumber(1))
    .option('--shards <number>', 'number of concurrent shards (default: 1)', wholeNumber(1))
    .option(
      '--lock <seconds>',
      'a worker that does not respond for this long loses its shard (default: 30)',
      wholeNumber(1),
    )
    .option('--until-done', 'stop when the queue is empty')
    .action(async (options: WorkerCommandOptions) => {
      let lastError = '';
      const print = (event: QueueWorkerEvent): void => {
        // An unreachable server causes the same error at each attempt to connect.
        if (event.type === 'error' && event.reason === lastError) return;
        lastError = event.type === 'error' ? event.reason : '';
        terminal.err(`${eventLine(event)}\n`);
      };
      const finished = await runQueueWorker({
        ...placeOf(options, terminal),
        workers: options.workers,
        shards: options.shards,
        lockMs: options.lock === undefined ? undefined : options.lock * 1_000,
        untilDone: options.untilDone,
        signal: terminal.signal,
        onEvent: print,
      });
      terminal.err(`${counted(finished, 'shard')} finished by this worker\n`);
    });
}

function addStatus(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  addPlace(program.command('status'))
    .summary('show the progress of a queue')
    .description('Show the progress of a queue.')
    .option('--json', 'print JSON')
    .action(async (options: PlaceOptions & { readonly json?: boolean }) => {
      const status: QueueStatus = await queueStatus(placeOf(options, terminal));
      terminal.stdout.write(options.json ? `${JSON.stringify(status)}\n` : statusText(status));
      end(status.shards.failed > 0 ? 3 : 0);
    });
}

function addPlace(command: Command): Command {
  return command
    .option('--redis <url>', `URL of the server (default: the variable REDIS_URL, or ${defaultRedis})`)
    .option('--queue <name>', 'name of the queue', defaultQueue);
}

function placeOf({ redis, queue }: PlaceOptions, { environment }: Terminal): QueuePlace {
  return { redis: redis ?? environment.REDIS_URL, queue };
}

function eventLine(event: QueueWorkerEvent): string {
  const time = new Date().toISOString().slice(11, 19);
  if (event.type === 'error') return `${time} error: ${printable(event.reason, 200)}`;
  const reason = event.type === 'failed' ? `: ${printable(event.reason, 300)}` : '';
  return `${time} ${event.type} ${printable(event.input, 200)}${reason}`;
}
