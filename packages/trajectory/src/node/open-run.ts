import { setMaxListeners } from 'node:events';
import { systemClock } from '@palimpsest/core';
import { createLocalDesk } from '../calls/local-desk.ts';
import { resolveSettings } from '../trajectory-options.ts';
import { FailureStreak } from './failure-streak.ts';
import type { Recipe } from './fingerprint.ts';
import { inlinePool, type RowPool, threadPool } from './row-pool.ts';
import { isOfflineWriter, maxRowBytesOf, type RunOptions, threadsOf } from './run-options.ts';
import { absoluteTokenizer, loadTokenizer } from './tokenizer.ts';

/** What compresses rows, made ready. */
export interface Run {
  readonly recipe: Recipe;
  readonly pool: RowPool;
  readonly maxRowBytes: number;
  /** Fires when the caller aborts, and when the summarizer turns out not to work. */
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** The name of a tokenizer that is a function. */
const ownTokenizer = 'countTokens';

/**
 * Makes ready what compresses rows: threads, tokenizers, the desk where calls are made.
 * @throws {PalimpsestError} `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function openRun(options: RunOptions, wantsMetrics: boolean): Promise<Run> {
  const settings = resolveSettings(options);
  const threads = threadsOf(options);
  const maxRowBytes = maxRowBytesOf(options);
  const { summarizer, countTokens, gate } = options;
  const tokenizer = countTokens ? ownTokenizer : absoluteTokenizer(options.tokenizer ?? 'o200k_base', process.cwd());
  const controller = new AbortController();
  const forward = (): void => controller.abort(options.signal?.reason);
  if (options.signal?.aborted) forward();
  options.signal?.addEventListener('abort', forward, { once: true });
  const { signal } = controller;
  // Each call under way listens to it.
  setMaxListeners(0, signal);
  const streak = new FailureStreak((reason) => controller.abort(reason));
  const desk =
    summarizer && !isOfflineWriter(summarizer)
      ? createLocalDesk(summarizer, settings, {
          clock: systemClock,
          gate,
          onSettled: (failure) => streak.settled(failure),
        })
      : null;
  const poolOptions = { wantsMetrics, desk, signal };
  const writer = isOfflineWriter(summarizer) ? { summarizer } : {};
  // Loaded here first, so that a bad name is said at once and not by every thread.
  const counting = countTokens ? { countTokens } : threads === 1 ? await loadTokenizer(tokenizer) : {};
  if (threads > 1 && tokenizer.includes('/')) await loadTokenizer(tokenizer);
  const pool =
    threads === 1
      ? await inlinePool({ ...settings, ...counting, ...writer, redact: options.redact }, poolOptions)
      : threadPool(threads, { settings, tokenizer }, poolOptions);
  return {
    recipe: { settings, tokenizer, summarizer: summarizer?.id ?? 'extractive' },
    pool,
    maxRowBytes,
    signal,
    async close() {
      options.signal?.removeEventListener('abort', forward);
      await pool.close();
    },
  };
}
