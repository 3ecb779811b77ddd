import { isDeepStrictEqual } from 'node:util';
import { PalimpsestError } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { fileFailure } from '../node/file-failure.ts';
import { findShards } from '../node/find-inputs.ts';
import { shardFingerprint } from '../node/fingerprint.ts';
import { resolveMaxRowBytes } from '../node/run-options.ts';
import { shardPaths } from '../node/shard-paths.ts';
import { finishedReport } from '../node/shard-report.ts';
import type { SummarizerChoice } from '../node/summarizer-choice.ts';
import { absoluteTokenizer } from '../node/tokenizer.ts';
import { RunOptionCheck, shown } from '../option-check.ts';
import { resolveSettings, type TrajectorySettings } from '../trajectory-options.ts';
import { windowLimit } from './call-rate.ts';
import { loadBullmq } from './load-bullmq.ts';
import { briefConnection, callsQueueName, checkQueuePlace, defaultQueue, type QueuePlace } from './queue-place.ts';
import { reachable } from './reachable.ts';
import { type ShardJobData, type ShardQueue, shardJobId } from './shard-job.ts';

export interface EnqueueOptions extends QueuePlace, TrajectorySettings, SummarizerChoice {
  /** The folder for the outputs. Every worker must see it, and the inputs, under the same path. */
  readonly out: string;
  /** `o200k_base`, `cl100k_base`, or the path of a module that exports `countTokens(text)`. @default 'o200k_base' */
  readonly tokenizer?: string | undefined;
  /** Longest line in bytes. Longer ones are rejected. @default 64 MiB */
  readonly maxRowBytes?: number | undefined;
  /** How often a shard is attempted before it counts as failed. @default 3 */
  readonly attempts?: number | undefined;
  /**
   * Maximum number of calls to the summarizing model per minute, for all workers together; 0 removes the limit.
   * @default unchanged; a new queue has no limit
   */
  readonly callsPerMinute?: number | undefined;
}

/** How many shards were enqueued. */
export interface Enqueued {
  /** New shards. */
  readonly added: number;
  /** Shards to run again: they failed, ran with other options, or their input or output has changed. */
  readonly again: number;
  /** Shards that were already in the queue, waiting or done. */
  readonly known: number;
}

/** Milliseconds before a failed shard is first retried. Each further delay is twice as long. */
const backoffMs = 5_000;

/**
 * Puts shards into the queue. Can be called again: a shard that is already in the queue is not added twice.
 * @throws {PalimpsestError} `OPTION_INVALID`, `FILE_FAILED`, `DEPENDENCY_MISSING`, `QUEUE_UNREACHABLE`
 */
export async function enqueueShards(inputs: readonly string[], options: EnqueueOptions): Promise<Enqueued> {
  const check = new RunOptionCheck();
  const settings = resolveSettings(check, options);
  const maxRowBytes = resolveMaxRowBytes(check, options);
  const attempts = check.wholeNumber('attempts', options.attempts, 3, 1);
  const callsPerMinute = check.wholeNumber('callsPerMinute', options.callsPerMinute, 0, 0);
  checkBaseUrl(check, options.baseUrl);
  checkQueuePlace(check, options);
  check.finish();
  const shards = await findShards(inputs, options.out.endsWith('/') ? options.out : `${options.out}/`, process.cwd());
  const { summarizer, baseUrl, summarizerWindow } = options;
  const tokenizer = absoluteTokenizer(options.tokenizer ?? 'o200k_base', process.cwd());
  const { bullmq } = await loadBullmq();
  const name = options.queue ?? defaultQueue;
  return reachable(options, async (connect) => {
    const queue: ShardQueue = connect(new bullmq.Queue(name, { connection: briefConnection(options) }));
    if (options.callsPerMinute !== undefined) {
      const calls = connect(new bullmq.Queue(callsQueueName(name), { connection: briefConnection(options) }));
      const { max, duration } = windowLimit(callsPerMinute);
      await (max === 0 ? calls.removeGlobalRateLimit() : calls.setGlobalRateLimit(max, duration));
    }
    const counts = { added: 0, again: 0, known: 0 };
    for (const { input, output } of shards) {
      const data = plain({
        input,
        output,
        settings,
        tokenizer,
        summarizer: { summarizer, baseUrl, summarizerWindow },
        maxRowBytes,
      });
      counts[await enqueue(queue, data, attempts)]++;
    }
    return counts;
  });
}

/** Reports a base URL that is not absolute, or contains a password or key, which would be readable in Redis. */
function checkBaseUrl(check: RunOptionCheck, baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  check.expect(url !== null, 'baseUrl', 'an absolute URL', shown(baseUrl));
  if (url === null) return;
  const hasSecret = url.username !== '' || url.password !== '' || redact(baseUrl) !== baseUrl;
  const expected =
    'a URL without a password or key, because it is stored in Redis. Set OPENAI_BASE_URL or ANTHROPIC_BASE_URL where the workers run';
  check.expect(!hasSecret, 'baseUrl', expected, 'a URL with a secret');
}

async function enqueue(queue: ShardQueue, data: ShardJobData, attempts: number): Promise<keyof Enqueued> {
  const jobId = shardJobId(data.output);
  const existing = await queue.getJob(jobId);
  let outcome: keyof Enqueued = 'added';
  if (existing) {
    const isSame = isDeepStrictEqual(plain(existing.data), data);
    const state = await existing.getState();
    const isDone = state === 'completed' || state === 'failed';
    if (isSame && !isDone) return 'known';
    if (isSame && state === 'completed' && (await isStillDone(data))) return 'known';
    if (!isDone) throw busy(data.output);
    await existing.remove();
    outcome = 'again';
  }
  await queue.add('shard', data, { jobId, attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } });
  return outcome;
}

/** True if the output of a finished shard still exists and its input has not changed. */
async function isStillDone({ input, output, settings, tokenizer, summarizer }: ShardJobData): Promise<boolean> {
  const recipe = { settings, tokenizer, summarizer: summarizer.summarizer ?? 'extractive' };
  const fingerprint = await shardFingerprint(input, recipe).catch((error: unknown) => {
    throw fileFailure('read', input, error);
  });
  return (await finishedReport(shardPaths(output).report, output, fingerprint)) !== null;
}

/** Converts the data to plain JSON, as the queue does. */
function plain(data: ShardJobData): ShardJobData {
  return JSON.parse(JSON.stringify(data)) as ShardJobData;
}

function busy(output: string): PalimpsestError {
  const reason = 'it is in the queue with other options; wait until it is finished, or use another folder';
  return new PalimpsestError('RUN_UNFINISHED', `"${output}" cannot be enqueued: ${reason}.`, { file: output, reason });
}
