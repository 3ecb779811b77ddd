import type { ContextEvent, Usage } from '@palimpsest/core';
import type { RecallEvent } from '@palimpsest/recall';
import type { FailureAction, FailureClass } from '../failure/provider-failure.ts';
import type { CompactionAftermath, CompactionRecord, CompactionTrigger } from './compaction-record.ts';

/** The fields of the events that a session adds to those of its engine. JSON, with secrets masked. */
export type SessionEventBody =
  | RecallEvent
  | ({ readonly type: 'checkpoint-commit'; readonly checkpoint: number } & Pick<
      CompactionRecord,
      'parent' | 'trigger' | 'outcome' | 'tokensBefore' | 'tokensAfter' | 'modelCalls' | 'durationMs'
    >)
  /** What the agent did until the next compaction, or until the end of the session. See `CompactionAftermath`. */
  | (CompactionAftermath & {
      readonly type: 'compaction-aftermath';
      readonly checkpoint: number;
      /** Absent when prices are not known. See `CompactionDollars`. */
      readonly summaryDollars?: number | undefined;
      readonly paidDollars?: number | undefined;
      readonly uncompactedDollars?: number | undefined;
    })
  | {
      readonly type: 'checkpoint-undo';
      readonly checkpoint: number;
      /** False when the prompt does not fit the window without the compaction, so that the next request makes another. */
      readonly holds: boolean;
      readonly message: string;
    }
  | { readonly type: 'compaction-failed'; readonly trigger: CompactionTrigger; readonly reason: string }
  | {
      readonly type: 'compaction-blocked';
      readonly reason: string;
      readonly message: string;
      readonly retryAt: number | null;
    }
  | { readonly type: 'compaction-exhausted'; readonly attempts: number; readonly reason: string }
  | { readonly type: 'input-repaired'; readonly repairs: Readonly<Record<string, number>> }
  | {
      readonly type: 'request-refused';
      readonly class: FailureClass;
      readonly action: FailureAction;
      readonly status: number | null;
      readonly limitTokens: number | null;
      readonly attempt: number;
    }
  /** The window in force became smaller. `isStated`: a provider stated it; otherwise refusals without a limit, or prompts that were cut silently, suggest it. */
  | {
      readonly type: 'limit-learned';
      readonly model: string;
      readonly contextLength: number;
      readonly isStated: boolean;
    }
  | { readonly type: 'output-lowered'; readonly model: string; readonly maxTokens: number }
  | { readonly type: 'content-stripped'; readonly what: 'reasoning' | 'tool-parts' }
  /**
   * Tool results were cut to a common size, because nothing else made the request fit, or new ones were shortened to
   * excerpts (option `shapeResults`). Tokens of the whole prompt.
   */
  | {
      readonly type: 'results-cut' | 'results-shaped';
      readonly results: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /**
   * The last request was repeated with one more message that asks for a summary. `failure`: why it could not be used.
   */
  | {
      readonly type: 'summary-from-cache';
      readonly promptTokens: number | null;
      readonly cachedTokens: number | null;
      readonly failure: string | null;
    }
  /** A summary arrived after its plan was stopped or cancelled. It is paid for; the next summary takes it over if it can. */
  | { readonly type: 'summary-late'; readonly summarizer: string; readonly usage?: Usage | undefined }
  | { readonly type: 'media-removed'; readonly parts: number; readonly shrunk: number }
  | { readonly type: 'plan-drop'; readonly reason: string }
  | { readonly type: 'model-switch'; readonly from: string; readonly to: string; readonly contextLength: number }
  | { readonly type: 'prompt-truncated'; readonly promptTokens: number; readonly estimatedTokens: number }
  | { readonly type: 'handoff-unanswered'; readonly message: string }
  /** A second conversation runs on the session, and it is too long to be a side request. */
  | { readonly type: 'second-conversation'; readonly message: string }
  | { readonly type: 'hook-failed'; readonly hook: string; readonly reason: string }
  | { readonly type: 'state-restored'; readonly checkpoints: number; readonly savedAt: number }
  | { readonly type: 'state-discarded'; readonly reason: string }
  | { readonly type: 'state-incomplete'; readonly reason: string }
  /** Another process or session object wrote the same session's state concurrently. */
  | { readonly type: 'store-conflict'; readonly message: string }
  | { readonly type: 'store-failed'; readonly operation: 'read' | 'write'; readonly reason: string }
  /** The store answers again. Only one of the sessions of a process that share a store reports it. */
  | { readonly type: 'store-back'; readonly downMs: number }
  | { readonly type: 'request-passed-through'; readonly reason: string };

/** An event of a session or of its engine, with the ids of the session and the compaction. */
export type SessionEvent = (ContextEvent | SessionEventBody) & {
  readonly sessionId: string;
  /** Number of the compaction it belongs to; `null` outside a compaction. */
  readonly compaction: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
};
