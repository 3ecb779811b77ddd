import type { Usage } from './summarizer.ts';

/**
 * How a compaction ended. `degraded`: compacted, but without the requested summary. `aborted`: not compacted; the
 * report's `failure` says why.
 */
export type Outcome = 'compacted' | 'degraded' | 'unchanged' | 'aborted';

/** Why an engine would or would not compact now. */
export type DecisionReason =
  | 'no-window'
  | 'below-threshold'
  | 'over-threshold'
  | 'probe'
  | 'cooldown'
  | 'blocked-dense'
  | 'blocked-ineffective';

/** Events that engines and hosts emit. JSON, with secrets masked. Durations in milliseconds. */
export type ContextEvent =
  | { readonly type: 'compaction-start'; readonly engine: string; readonly messages: number; readonly tokens: number }
  | {
      readonly type: 'compaction-phase';
      readonly engine: string;
      readonly phase: string;
      readonly durationMs: number;
      readonly reclaimedTokens: number;
    }
  | {
      readonly type: 'compaction-end';
      readonly engine: string;
      readonly outcome: Outcome;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** Number of model calls, including failed and cancelled ones. */
      readonly modelCalls: number;
      readonly durationMs: number;
    }
  | {
      readonly type: 'summary-start';
      readonly engine: string;
      readonly summarizer: string;
      readonly budgetTokens: number;
    }
  | {
      readonly type: 'summary-end';
      readonly engine: string;
      readonly summarizer: string;
      readonly durationMs: number;
      readonly failure: string | null;
      /** Tokens, if the summarizer reports them. */
      readonly usage?: Usage | undefined;
    }
  | {
      readonly type: 'summary-fallback';
      readonly engine: string;
      readonly reason: string;
      readonly removedMessages: number;
    }
  | { readonly type: 'summary-aborted'; readonly engine: string; readonly reason: string }
  | {
      readonly type: 'threshold-blocked';
      readonly engine: string;
      readonly reason: DecisionReason;
      readonly message: string;
    }
  | { readonly type: 'snapshot-discarded'; readonly engine: string; readonly reason: string }
  /** The engine failed, and `fallback` serves for the rest of the session. */
  | { readonly type: 'engine-replaced'; readonly engine: string; readonly fallback: string; readonly reason: string }
  | { readonly type: 'warning'; readonly engine: string; readonly message: string }
  /** An event of a plugin's own. */
  | {
      readonly type: 'plugin-event';
      readonly engine: string;
      readonly name: string;
      readonly data: Readonly<Record<string, unknown>>;
    };
