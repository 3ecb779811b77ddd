import type { Losses } from './losses.ts';
import type { Scores } from './scores.ts';

/** The result of {@link evaluate}. Plain data: it can be stored as JSON. */
export interface Evaluation {
  readonly version: 1;
  readonly transcripts: readonly EvaluatedTranscript[];
  /** Transcripts that could not be used. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Shares of the tokens at which transcripts were cut. */
  readonly cuts: readonly number[];
  /** Number of compactions in a row. */
  readonly chainSteps: number;
  /** Window of the cost simulation, in tokens; `null` if costs were not simulated. */
  readonly window: number | null;
  /** One for each compactor and budget, in the order of the options. */
  readonly results: readonly CompactorResult[];
  /** Mean dollars of a conversation that is never compacted; `null` if costs were not simulated. */
  readonly dollarsUncompacted: number | null;
}

export interface EvaluatedTranscript {
  readonly name: string;
  readonly messages: number;
  readonly tokens: number;
  /** Number of cuts: places after which something of the past was needed. */
  readonly cuts: number;
  /** What was lost at the last cut, by compactor and budget. */
  readonly losses: readonly TranscriptLosses[];
}

/** What one compactor lost of one transcript. */
export interface TranscriptLosses extends Losses {
  readonly compactor: string;
  readonly budget: number;
}

/** The scores of one compactor at one budget. */
export interface CompactorResult {
  readonly compactor: string;
  /** Size of the output, as a share of the tokens before it. */
  readonly budget: number;
  readonly scores: Scores;
}
