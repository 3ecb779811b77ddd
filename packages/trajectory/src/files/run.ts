import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import { type OptionRules, signalRule, textRule, wholeNumberRule } from '@palimpsest/core/authoring';
import { classifyError } from '@palimpsest/summary';
import { summarizerByName } from '@palimpsest/summary/by-name';
import type { OnSettled } from '../calls.ts';
import { createContext } from '../context.ts';
import { functionRules, type ResolvedSettings, resolveSettings, type TrajectoryOptions } from '../options.ts';
import { inlinePool, type RowPool, threadPool } from './row-pool.ts';
import { absoluteTokenizer, loadTokenizer } from './tokenizer.ts';

/** Options of a run over files, a stream or a queue. */
export interface RunOptions extends Omit<TrajectoryOptions, 'encoding'> {
  /** `o200k_base`, `cl100k_base`, or the path of a module that exports `countTokens(text)`. @default 'o200k_base' */
  readonly tokenizer?: string | undefined;
  /**
   * Number of threads. The run stays in the calling thread with 1, with a model as summarizer, whose calls overlap, and
   * with the functions `countTokens` or `redact`, which cannot be sent to another thread.
   * @default one per processor, at most 8
   */
  readonly workers?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The rules of {@link RunOptions}. */
export const runRules: OptionRules = {
  ...functionRules,
  tokenizer: textRule,
  workers: wholeNumberRule(1),
  signal: signalRule,
};

/** A summarizer by name, for a command line or a job. Each machine has its own keys and servers in its environment. */
export interface SummarizerChoice {
  /** `extractive`, `openai:MODEL` or `anthropic:MODEL`. @default 'extractive' */
  readonly summarizer?: string | undefined;
  /** The model's context window in tokens. If it is known, larger regions are summarized in parts. @default unknown */
  readonly summarizerWindow?: number | undefined;
}

/** Everything besides the input that determines the output of a shard. */
export interface Recipe {
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  /** Id of the summarizer. */
  readonly summarizer: string;
}

/** The resolved options, threads and signal of a run. */
export interface Run {
  readonly recipe: Recipe;
  readonly pool: RowPool;
  /** Aborted by the caller's signal, or when the summarizer keeps failing. */
  readonly signal: AbortSignal;
}

const maxThreads = 8;
/** Number of consecutive failures that ends a run. Further calls would probably fail too, and cost as much. */
const maxFailures = 20;

/**
 * Creates the threads and tokenizers of a run, and closes them after use.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING`; the reason of the signal if the run was aborted
 */
export async function withRun<Result>(options: RunOptions, use: (run: Run) => Promise<Result>): Promise<Result> {
  const settings = resolveSettings(options);
  const { summarizer, countTokens, redact, workers = Math.min(availableParallelism(), maxThreads) } = options;
  const threads = countTokens || redact || summarizer ? 1 : workers;
  const tokenizer = countTokens ? 'countTokens' : absoluteTokenizer(options.tokenizer ?? 'o200k_base', process.cwd());
  const failing = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failing.signal]) : failing.signal;
  // Each pending call adds a listener.
  setMaxListeners(0, signal);
  // Also with threads, so that a wrong name is reported once, not by every thread.
  const counting = countTokens ? { countTokens } : await loadTokenizer(tokenizer);
  const pool =
    threads === 1
      ? inlinePool(
          await createContext(settings, { ...counting, redact, summarizer }, endAfterFailures(failing)),
          signal,
        )
      : threadPool(threads, { settings, tokenizer }, signal);
  try {
    return await use({
      recipe: { settings, tokenizer, summarizer: summarizer?.id ?? 'extractive' },
      pool,
      signal,
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await pool.close();
  }
}

/** Ends a run whose summarizer keeps failing, or rejects the first call for a reason that no retry can fix. */
function endAfterFailures(run: AbortController): OnSettled {
  let [failures, hasSucceeded] = [0, false];
  return (error) => {
    if (error === undefined) [failures, hasSucceeded] = [0, true];
    if (error === undefined) return;
    failures++;
    const failure = classifyError(error);
    const isPermanent = !hasSucceeded && (failure.class === 'access' || failure.class === 'missing-model');
    if (!isPermanent && failures < maxFailures) return;
    run.abort(
      new PalimpsestError(
        'SUMMARIZER_FAILED',
        `The summarizer failed${isPermanent ? '' : ` ${failures} times in a row`}: ${failure.class} (${failure.reason}). Finished rows are kept. Resume the run when the summarizer works again.`,
        { class: failure.class, status: failure.status ?? null },
      ),
    );
  };
}

/**
 * Creates the summarizer with a name; `undefined` for `extractive`, which calls no model.
 * @throws {PalimpsestError} `OPTION_INVALID`, also if the provider's key is not in the environment
 */
export function chooseSummarizer(choice: SummarizerChoice): Summarizer | undefined {
  const { summarizer: name = 'extractive', summarizerWindow: contextLength } = choice;
  return name === 'extractive' ? undefined : summarizerByName(name, { contextLength });
}
