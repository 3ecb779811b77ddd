import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkOptions, type OptionRules, textRule, wholeNumberRule } from '@palimpsest/core/authoring';
import { readFinishedReport, shardFingerprint } from '../files/compact-shard.ts';
import { cannotContinue } from '../files/file-failure.ts';
import { findShards } from '../files/find-inputs.ts';
import type { SummarizerChoice } from '../files/run.ts';
import { absoluteTokenizer } from '../files/tokenizer.ts';
import { resolveSettings, settingRules, type TrajectorySettings } from '../options.ts';
import { placeRules, type QueueConnection, type QueuePlace, queryQueue } from './connect.ts';
import type { ShardJobData } from './shard-job.ts';

export interface EnqueueOptions extends QueuePlace, TrajectorySettings, SummarizerChoice {
  /** The folder for the outputs. Every worker must see it, and the inputs, under the same path. */
  readonly out: string;
  /** `o200k_base`, `cl100k_base`, or the path of a module that exports `countTokens(text)`. @default 'o200k_base' */
  readonly tokenizer?: string | undefined;
  /** How often a shard is attempted before it counts as failed. @default 3 */
  readonly attempts?: number | undefined;
}

const rules: OptionRules = {
  ...settingRules,
  ...placeRules,
  out: { ...textRule, isRequired: true },
  tokenizer: textRule,
  attempts: wholeNumberRule(1),
  summarizer: textRule,
  summarizerWindow: wholeNumberRule(1),
};

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
  checkOptions('enqueueShards', options, rules);
  const settings = resolveSettings(options);
  const { attempts = 3 } = options;
  const files = await findShards(inputs, `${options.out}/`, process.cwd());
  const { summarizer, summarizerWindow } = options;
  const tokenizer = absoluteTokenizer(options.tokenizer ?? 'o200k_base', process.cwd());
  const order = { settings, tokenizer, summarizer: { summarizer, summarizerWindow } };
  return queryQueue(options, async (connection) => {
    const counts = { added: 0, again: 0, known: 0 };
    // As plain JSON, so that it can be compared with what is in the queue.
    for (const file of files)
      counts[await enqueue(connection, JSON.parse(JSON.stringify({ ...file, ...order })), attempts)]++;
    return counts;
  });
}

async function enqueue({ shards }: QueueConnection, data: ShardJobData, attempts: number): Promise<keyof Enqueued> {
  // One id per output prevents two jobs from writing the same file at the same time.
  const jobId = `shard-${createHash('sha256').update(data.output).digest('hex').slice(0, 32)}`;
  const existing = await shards.getJob(jobId);
  if (existing) {
    const isSame = isDeepStrictEqual(existing.data, data);
    const state = await existing.getState();
    const isOver = state === 'completed' || state === 'failed';
    if (isSame && (!isOver || (state === 'completed' && (await isStillDone(data))))) return 'known';
    if (!isOver)
      throw cannotContinue(
        data.output,
        'it is in the queue with other options; wait until it is finished, or use another folder',
      );
    await existing.remove();
  }
  await shards.add('shard', data, { jobId, attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } });
  return existing ? 'again' : 'added';
}

/** True if the output of a finished shard still exists and its input has not changed. */
async function isStillDone({ input, output, settings, tokenizer, summarizer }: ShardJobData): Promise<boolean> {
  const recipe = { settings, tokenizer, summarizer: summarizer.summarizer ?? 'extractive' };
  return (await readFinishedReport(output, await shardFingerprint(input, recipe))) !== null;
}
