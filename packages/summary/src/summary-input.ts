import type { SummaryTemplate } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';

/** What to summarize, and how. */
export interface SummaryInput {
  readonly transcript: Transcript;
  /** Indices of the messages to summarize, in order. Pass the original messages, not pruned ones. */
  readonly sources: readonly number[];
  /**
   * The subset of `sources` that the previous summary does not cover. A model reads only these to update the previous
   * summary; rules read all sources.
   * @default `sources`
   */
  readonly fresh?: readonly number[] | undefined;
  /** The body of the previous summary, which this one updates; `null` the first time. */
  readonly previousSummary: string | null;
  /**
   * The part of earlier summaries that rules carry over, because it cannot be rebuilt from `sources`: the newest
   * summary by a model; `null` for none.
   * @default `previousSummary`
   */
  readonly carriedSummary?: string | null | undefined;
  /** @default `handoffTemplate` */
  readonly template?: SummaryTemplate | undefined;
  /** Maximum length of the summary, in tokens. */
  readonly budgetTokens: number;
  /** Name of the engine, for events. */
  readonly engine: string;
  /** A topic to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** Text from the host's long-term memory, quoted in the prompt as data. */
  readonly memoryContext?: string | undefined;
  /** Indices of messages whose text the summary carries verbatim. */
  readonly pins?: readonly number[] | undefined;
  /** `free`: call only offline summarizers. */
  readonly effort: 'free' | 'full';
  /** If every summarizer fails, abort instead of inserting the fallback. */
  readonly abortOnFailure: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one model call, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number | undefined;
}
