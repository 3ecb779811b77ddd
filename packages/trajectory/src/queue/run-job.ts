import { hostname } from 'node:os';
import { PalimpsestError } from '@palimpsest/core';
import { compressShard } from '../node/compress-shard.ts';
import { mergeSignals } from '../node/merge-signals.ts';
import { openRun } from '../node/open-run.ts';
import { chooseSummarizer } from '../node/summarizer-choice.ts';
import type { CallPermits } from './call-permits.ts';
import type { QueueLibraries } from './load-bullmq.ts';
import type { ShardJob, ShardJobProgress, ShardJobResult } from './shard-job.ts';
import type { QueueWorkerEvent } from './worker-event.ts';

/** What the jobs of a worker have in common. */
export interface JobContext extends Pick<QueueLibraries, 'bullmq'> {
  /** Number of threads per shard. @default one per processor, at most 8 */
  readonly workers: number | undefined;
  /** Duration of a job's lock in milliseconds. */
  readonly lockMs: number;
  readonly permits: CallPermits;
  /** Stops the worker: its jobs go back to the queue. */
  readonly stop: AbortSignal | undefined;
  onEvent(event: QueueWorkerEvent): void;
  onError(error: Error): void;
}

const progressMs = 1_000;

/** Compresses the shard of a job and reports how it ended. @param lost fires when another worker took the job over */
export async function runJob(
  job: ShardJob,
  token: string,
  lost: AbortSignal | undefined,
  context: JobContext,
): Promise<ShardJobResult> {
  const { input } = job.data;
  const { stop, onEvent } = context;
  onEvent({ type: 'started', input });
  const { controller, release } = mergeSignals(stop, lost);
  try {
    const result = await compressJob(job, token, controller.signal, context);
    onEvent({ type: 'done', input });
    return result;
  } catch (error) {
    if (lost?.aborted) {
      onEvent({ type: 'lost', input });
    } else if (stop?.aborted) {
      await job.moveToWait(token);
      onEvent({ type: 'returned', input });
      throw new context.bullmq.WaitingError();
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      onEvent({ type: 'failed', input, reason });
    }
    throw error;
  } finally {
    release();
  }
}

async function compressJob(
  job: ShardJob,
  token: string,
  signal: AbortSignal,
  { workers, lockMs, permits, onError }: JobContext,
): Promise<ShardJobResult> {
  const { input, output, settings, tokenizer, summarizer, maxRowBytes } = job.data;
  const run = await openRun(
    {
      ...settings,
      tokenizer,
      summarizer: chooseSummarizer(summarizer, process.env),
      workers,
      maxRowBytes,
      signal,
      gate: permits,
    },
    true,
  );
  let reportedAt = 0;
  try {
    const { totals, wallMs } = await compressShard({
      input,
      output,
      recipe: run.recipe,
      pool: run.pool,
      unfinished: 'resume',
      skipsFinished: true,
      mark: token.replace(/[^\w-]+/g, '_'),
      maxRowBytes: run.maxRowBytes,
      checkpointMs: 200,
      signal: run.signal,
      onProgress({ bytes, totalBytes, totals: sums }) {
        if (Date.now() - reportedAt < progressMs) return;
        reportedAt = Date.now();
        const worker = `${hostname()}:${process.pid}`;
        const progress: ShardJobProgress = { bytes, totalBytes, rows: sums.rows, worker };
        job.updateProgress({ ...progress }).catch(onError);
      },
      async mayFinish() {
        const isMine = await job.extendLock(token, lockMs);
        if (isMine !== 1) throw lostShard(input);
      },
    });
    return { totals, wallMs };
  } finally {
    await run.close();
  }
}

function lostShard(input: string): PalimpsestError {
  const reason = 'another worker took it over';
  return new PalimpsestError('RUN_UNFINISHED', `"${input}" was not finished by this worker: ${reason}.`, {
    file: input,
    reason,
  });
}
