import type { Outcome } from '@palimpsest/core';

/** The cause of a compaction. */
export type CompactionTrigger =
  /** The engine's threshold, before a request. */
  | 'threshold'
  /** The prompt did not fit the window. */
  | 'window'
  /** A provider refused the request as too long. */
  | 'overflow'
  /** A provider refused the request because of its bytes or pictures. */
  | 'media'
  /** Tool results were cut, because nothing else made the request fit. */
  | 'results'
  /** Tool results were shortened before the model saw them (option `shapeResults`). */
  | 'arrival'
  /** `session.compact` was called. */
  | 'manual'
  /** The agent called the tool `compact` (option `compactTool`). */
  | 'agent'
  /** A long-lived chat reached the hygiene limits. */
  | 'hygiene'
  /** The chat was idle for long enough that the prompt cache is cold. */
  | 'idle';

/** Record of one compaction. Shows how often compactions happen and how they affect the prompt cache. JSON; tokens of the whole prompt. */
export interface CompactionRecord {
  /** 1 for the first compaction of a session. */
  readonly number: number;
  /** The compaction it builds on; `null` for the first one. */
  readonly parent: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly trigger: CompactionTrigger;
  readonly outcome: Outcome;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly modelCalls: number;
  readonly durationMs: number;
  /** Cached share of the last prompt answered before the compaction, 0 to 1; `null` when the provider did not report it. */
  readonly cachedShareBefore: number | null;
  /** Cached share of the first prompt answered after the compaction; `null` until then. */
  readonly cachedShareAfter: number | null;
  readonly undone: boolean;
  /** Messages of the history at the compaction. */
  readonly historyMessages: number;
  /** What the agent did while the compaction was in effect. Absent before its next request. */
  readonly aftermath?: CompactionAftermath | undefined;
  /** What it cost and saved so far. `null` when a price or a report is missing. */
  readonly dollars: CompactionDollars | null;
}

/** Dollars at list prices. A compaction saved `uncompacted - paid - summaries`. */
export interface CompactionDollars {
  /** The calls of summarizers. */
  readonly summaries: number;
  /** The answers while the compaction was in effect. */
  readonly paid: number;
  /** What these answers would have cost without it. */
  readonly uncompacted: number;
}

/** What an agent did after a compaction. Many repeated calls, and much work before the next edit, show that it hurt. */
export interface CompactionAftermath {
  /** Answers of the model since. */
  readonly requests: number;
  /** Calls that look something up with the same arguments as a call before the compaction. */
  readonly repeatedCalls: number;
  /** Calls of `recall` and `expand`. */
  readonly recallCalls: number;
  /** Answers up to the first one that changes a file; `null` without one. */
  readonly requestsToEdit: number | null;
}
