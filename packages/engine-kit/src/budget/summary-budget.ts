import type { CompressOptions } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';

/** Input of {@link summaryBudget}. Tokens. */
export interface SummaryBudgetInput {
  /** Size of the messages that the summary replaces. */
  readonly sourceTokens: number;
  /** The model's context window; 0 when unknown. */
  readonly contextLength: number;
  /** The prompt size that triggers compaction; 0 when unknown. */
  readonly thresholdTokens: number;
  /** Tokens of every prompt that are not messages of the session: tools and system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
}

/** Figures from Hermes Agent: a fifth of the source, at most 5 % of the window and 12,000, at least 2,000. */
const shareOfSource = 0.2;
const shareOfWindow = 0.05;
/** An overhead up to this share of the window is usual and does not shorten a summary. */
const maxIgnoredOverhead = 0.1;
const ceiling = 12_000;
const floor = 2_000;

/**
 * Returns the maximum length of a summary in tokens: a fifth of its source, at most 12,000 and 5 % of the window, at
 * least 2,000. The minimum overrides the maximum, but a summary never exceeds a quarter of the threshold or half of its
 * source. If tools and system prompt take more than a tenth of the window, the 5 % are of the room that they leave.
 * @returns whole tokens, at least 0
 */
export function summaryBudget(input: SummaryBudgetInput): number {
  const { sourceTokens, contextLength, thresholdTokens, overheadTokens = 0 } = input;
  const isUsual = overheadTokens <= contextLength * maxIgnoredOverhead;
  const room = isUsual ? contextLength : Math.max(0, contextLength - overheadTokens);
  const highest = contextLength > 0 ? Math.min(ceiling, room * shareOfWindow) : ceiling;
  const wanted = Math.max(floor, Math.min(sourceTokens * shareOfSource, highest));
  const quarter = thresholdTokens > 0 ? thresholdTokens / 4 : wanted;
  return Math.max(0, Math.floor(Math.min(wanted, quarter, sourceTokens / 2)));
}

/** Returns the maximum tokens of a summary in a context window. */
export function maxSummaryTokens(contextLength: number): number {
  return Math.min(Math.floor(contextLength * shareOfWindow), ceiling);
}

/** Tokens of every prompt that are not messages of the session: tools, and the system prompt. */
export function overheadOf(transcript: Transcript, { overheadTokens = 0 }: CompressOptions): number {
  return overheadTokens + transcript.tokensBetween(0, transcript.leading);
}
