import { isDeepStrictEqual } from 'node:util';
import { PalimpsestError } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { fileFailure } from '../node/file-failure.ts';
import { findShards } from '../node/find-inputs.ts';
import { shardFingerprint } from '../node/fingerprint.ts';
import { maxRowBytesOf } from '../node/run-options.ts';
import { shardPaths } from '../node/shard-paths.ts';
import { finishedReport } from '../node/shard-report.ts';
import type { SummarizerChoice } from '../node/summarizer-choice.ts';
import { absoluteTokenizer } from '../node/tokenizer.ts';
import { resolveSettings, type TrajectorySettings } from '../trajectory-options.ts';
import { windowLimit } from './call-rate.ts';
import { loadBullmq } from './load-bullmq.ts';
import { briefConnection, callsQueueName, defaultQueue, type QueuePlace } from './queue-place.ts';
import { reachable } from './reachable.ts';
import { type ShardJobData, type ShardQueue, shardJobId } from './shard-job.ts';

export interface EnqueueOptions extends QueuePlace, TrajectorySettings, SummarizerChoice {
  /** The folder for the outputs; every worker sees it, and the inputs, under the same path. */
  readonly out: string;
  /** As for `compressFiles`. @default 'o200k_base' */
  readonly tokenizer?: string | undefined;
  /** @default 64 MiB */
  readonly maxRowBytes?: number | undefined;
  /** How often a shard is tried before it counts as failed. @default 3 */
  readonly attempts?: number | undefined;
  /** The most calls of the summarizing model that all workers together make in a minute; 0: as many as they can. @default as it was; no limit at first */
  readonly callsPerMinute?: number | undefined;
}

/** What became of the shards that were to be enqueued. */
export interface Enqueued {
  readonly added: number;
  /** To be done again: shards that had failed, were done with other options, or whose input or output is another now. */
  readonly again: number;
  /** Shards that were in the queue already, waiting or done. */
  readonly known: number;
}

/** The first wait before a failed shard is tried again, in milliseconds; each further one is twice as long. */
const backoffMs = 5_000;

/**
 * Puts shards into the queue. May be repeated: what is there stays there once.
 * @throws {PalimpsestError} `OPTION_INVALID`, `FILE_FAILED`, `DEPENDENCY_MISSING`; `QUEUE_UNREACHABLE`
 */
export async function enqueueShards(inputs: readonly string[], options: EnqueueOptions): Promise<Enqueued> {
  const settings = resolveSettings(options);
  refuseSecretsIn(options.baseUrl);
  const shards = await findShards(inputs, options.out.endsWith('/') ? options.out : `${options.out}/`, process.cwd());
  const { summarizer, baseUrl, summarizerWindow, attempts = 3 } = options;
  const tokenizer = absoluteTokenizer(options.tokenizer ?? 'o200k_base', process.cwd());
  const maxRowBytes = maxRowBytesOf({ maxRowBytes: options.maxRowBytes });
  const { bullmq } = await loadBullmq();
  const name = options.queue ?? defaultQueue;
  return reachable(options, async (connect) => {
    const queue: ShardQueue = connect(new bullmq.Queue(name, { connection: briefConnection(options) }));
    if (options.callsPerMinute !== undefined) {
      const calls = connect(new bullmq.Queue(callsQueueName(name), { connection: briefConnection(options) }));
      const { max, duration } = windowLimit(options.callsPerMinute);
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

/** Refuses a base URL that is not absolute, or that holds a password or key: every worker can read it in Redis. */
function refuseSecretsIn(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isOpen = url !== null && url.username === '' && url.password === '' && redact(baseUrl) === baseUrl;
  if (isOpen) return;
  const message =
    url === null
      ? 'baseUrl: expected an absolute URL.'
      : 'baseUrl: it holds a password or a key, and would be stored in Redis; leave it out, and set OPENAI_BASE_URL or ANTHROPIC_BASE_URL where the workers run.';
  throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['baseUrl'], message }] });
}

async function enqueue(queue: ShardQueue, data: ShardJobData, attempts: number): Promise<keyof Enqueued> {
  const jobId = shardJobId(data.output);
  const existing = await queue.getJob(jobId);
  let is: keyof Enqueued = 'added';
  if (existing) {
    const isSame = isDeepStrictEqual(plain(existing.data), data);
    const state = await existing.getState();
    const isDone = state === 'completed' || state === 'failed';
    if (isSame && !isDone) return 'known';
    if (isSame && state === 'completed' && (await isThere(data))) return 'known';
    if (!isDone) throw busy(data.output);
    await existing.remove();
    is = 'again';
  }
  await queue.add('shard', data, { jobId, attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } });
  return is;
}

/** True when the output of a shard that is done is still there, and its input the same. */
async function isThere({ input, output, settings, tokenizer, summarizer }: ShardJobData): Promise<boolean> {
  const recipe = { settings, tokenizer, summarizer: summarizer.summarizer ?? 'extractive' };
  const fingerprint = await shardFingerprint(input, recipe).catch((error: unknown) => {
    throw fileFailure('read', input, error);
  });
  return (await finishedReport(shardPaths(output).report, output, fingerprint)) !== null;
}

/** As it comes out of the queue. */
function plain(data: ShardJobData): ShardJobData {
  return JSON.parse(JSON.stringify(data)) as ShardJobData;
}

function busy(output: string): PalimpsestError {
  const reason = 'it is in the queue with other options; let it finish, or use another folder';
  return new PalimpsestError('RUN_UNFINISHED', `"${output}" cannot be enqueued: ${reason}.`, { file: output, reason });
}
