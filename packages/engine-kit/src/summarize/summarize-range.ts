import type { CompressOptions, EngineHost } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { type SummarizedMessages, summarizeMessages } from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/group-range.ts';
import { writesByRules } from '../source/writes-by-rules.ts';
import { isWorthModelCall } from './summary-worth.ts';
import { summaryTemplates, type TemplateName } from './templates-by-name.ts';

/** Input of {@link summarizeRange}. */
export interface SummarizeRangeInput {
  readonly draft: Draft;
  readonly asked: CompressOptions;
  readonly range: GroupRange;
  /** The engine's name, for events. */
  readonly engine: string;
  /** The summary of earlier passes, to be updated; `null` for none. */
  readonly previousSummary: string | null;
  /** The part of `previousSummary` that cannot be rebuilt from the summarized messages. @default all of it */
  readonly carriedSummary?: string | null | undefined;
  /**
   * False for a message that the previous summary covers; it is not sent to a model again.
   * @default no message is covered
   */
  readonly isFresh?: ((index: number) => boolean) | undefined;
  readonly template: TemplateName;
  /** Maximum length of the summary in tokens. */
  readonly budgetTokens: number;
  /** Maximum tokens of the host's later instructions that stay whole. @default no limit */
  readonly instructionTokens?: number | undefined;
  /** Topic to keep in detail if the call names none. */
  readonly focusTopic?: string | undefined;
  /** Indices of messages to carry verbatim. */
  readonly pins?: readonly number[] | undefined;
  /** True: abort if no model could write a summary. @default false */
  readonly abortOnFailure?: boolean | undefined;
  /** A line to add after the summary, inside the handoff. */
  readonly closing?: string | undefined;
}

/** Minimum tokens of a model's summary; less is not worth a call. */
const leastSummary = 100;

/**
 * Replaces a range of a draft with a handoff, written by the host's summarizer. Rules write it if there is no
 * summarizer, if the caller allows no model call, or if the range or the summary is too small for one.
 * @returns `larger` when the handoff would not be smaller than the range; the draft is then unchanged
 */
export function summarizeRange(input: SummarizeRangeInput, host: EngineHost): Promise<SummarizedMessages> {
  const { draft, asked, range, focusTopic, abortOnFailure = false, ...rest } = input;
  const template = summaryTemplates[input.template];
  return summarizeMessages(
    {
      ...rest,
      draft,
      groups: range,
      template,
      focusTopic: asked.focusTopic ?? focusTopic,
      memoryContext: asked.memoryContext,
      effort: callsModel(input, host) ? (asked.effort ?? 'full') : 'free',
      abortOnFailure: asked.abortOnSummaryFailure ?? abortOnFailure,
      signal: asked.signal,
    },
    host,
  );
}

/** True if {@link summarizeRange} asks a model for the summary. */
export function callsModel(
  { draft, asked, range, budgetTokens, template, isFresh }: SummarizeRangeInput,
  host: EngineHost,
): boolean {
  if (writesByRules(host, asked) || budgetTokens < leastSummary) return false;
  return isWorthModelCall(draft, range, summaryTemplates[template], isFresh);
}
