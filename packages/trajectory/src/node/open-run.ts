import { setMaxListeners } from 'node:events';
import { systemClock } from '@palimpsest/core';
import { createLocalCallPool } from '../calls/local-call-pool.ts';
import { RunOptionCheck } from '../option-check.ts';
import { checkDependencies, resolveSettings } from '../trajectory-options.ts';
import { FailureStreak } from './failure-streak.ts';
import type { Recipe } from './fingerprint.ts';
import { mergeSignals } from './merge-signals.ts';
import { inlinePool, type RowPool, threadPool } from './row-pool.ts';
import { isOfflineSummarizer, type RunOptions, resolveMaxRowBytes, resolveThreads } from './run-options.ts';
import { absoluteTokenizer, loadTokenizer } from './tokenizer.ts';

/** The resolved options, threads and signal of a run. */
export interface Run {
  readonly recipe: Recipe;
  readonly pool: RowPool;
  readonly maxRowBytes: number;
  /** Aborted by the caller's signal, or when the summarizer keeps failing. */
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** Stands for a `countTokens` function in the fingerprint. */
const customTokenizer = 'countTokens';

/**
 * Checks the options of a run, and creates its threads, tokenizers and call pool.
 * @param check may already contain problems of other options; all are reported together
 * @throws {PalimpsestError} `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function openRun(
  options: RunOptions,
  wantsMetrics: boolean,
  check: RunOptionCheck = new RunOptionCheck(),
): Promise<Run> {
  const settings = resolveSettings(check, options);
  checkDependencies(check, options);
  const threads = resolveThreads(check, options);
  const maxRowBytes = resolveMaxRowBytes(check, options);
  check.finish();
  const { summarizer, countTokens, gate } = options;
  const tokenizer = countTokens ? customTokenizer : absoluteTokenizer(options.tokenizer ?? 'o200k_base', process.cwd());
  const { controller, release } = mergeSignals(options.signal);
  const { signal } = controller;
  // Each pending call adds a listener.
  setMaxListeners(0, signal);
  const streak = new FailureStreak((reason) => controller.abort(reason));
  const callPool =
    summarizer && !isOfflineSummarizer(summarizer)
      ? createLocalCallPool(summarizer, settings, {
          clock: systemClock,
          gate,
          onSettled: (failure) => streak.settled(failure),
        })
      : null;
  const poolOptions = { wantsMetrics, callPool, signal };
  const offline = isOfflineSummarizer(summarizer) ? { summarizer } : {};
  // Loaded here first, so that a wrong name is reported once, not by every thread.
  const counting = countTokens ? { countTokens } : threads === 1 ? await loadTokenizer(tokenizer) : {};
  if (threads > 1 && tokenizer.includes('/')) await loadTokenizer(tokenizer);
  const pool =
    threads === 1
      ? await inlinePool({ ...settings, ...counting, ...offline, redact: options.redact }, poolOptions)
      : threadPool(threads, { settings, tokenizer }, poolOptions);
  return {
    recipe: { settings, tokenizer, summarizer: summarizer?.id ?? 'extractive' },
    pool,
    maxRowBytes,
    signal,
    async close() {
      release();
      await pool.close();
    },
  };
}
