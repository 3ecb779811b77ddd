import type { SummaryTemplate } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';

/** What to summarize, and how. */
export interface SummaryInput {
  readonly transcript: Transcript;
  /** Indices of the messages to summarize, in order. Pass the original messages, not pruned ones. */
  readonly sources: readonly number[];
  /**
   * Those of `sources` that the previous summary does not cover. A model reads only these and updates the previous
   * summary; rules read all sources.
   * @default `sources`
   */
  readonly fresh?: readonly number[] | undefined;
  /** The body of the previous summary, which this one updates; `null` the first time. */
  readonly previousSummary: string | null;
  /**
   * What rules carry on of earlier summaries, because it cannot be written again from `sources`: the newest summary that
   * a model wrote; `null` for nothing.
   * @default `previousSummary`
   */
  readonly carriedSummary?: string | null | undefined;
  /** @default `handoffTemplate` */
  readonly template?: SummaryTemplate | undefined;
  /** Length of the summary, in tokens. */
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
