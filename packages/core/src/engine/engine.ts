import type { Outcome } from '../host/event.ts';
import type { Usage } from '../host/summarizer.ts';
import type { Message } from '../messages/message.ts';
import type { Edit } from '../plans/edit.ts';
import type { InsertedMessage } from '../plans/inserted-message.ts';
import type { Provenance } from '../plans/provenance.ts';
import type { CompressOptions } from './compress-options.ts';
import type { ModelInfo } from './model.ts';
import type { PlanBasis } from './planner.ts';
import type { CompressReport, FailureReport } from './report.ts';
import type { SessionInfo } from './session-info.ts';
import type { ToolCallContext, ToolSchema } from './tools.ts';
import type { Decision, TriggerState } from './trigger.ts';

/** Name and state version of an engine. They identify its snapshots. */
export interface EngineIdentity {
  readonly name: string;
  /** Version of the planner's state in snapshots. @default 1 */
  readonly stateVersion?: number | undefined;
}

/** Token counts that the provider reported for the last request, and the current threshold. */
export interface TokenState {
  readonly lastPromptTokens: number;
  readonly lastCompletionTokens: number;
  /**
   * The prompt size that triggers compaction. Above the budget's threshold if the last compaction left too little
   * room.
   */
  readonly thresholdTokens: number;
  /** Upper limit of `thresholdTokens`. A caller may delay a compaction until this size. @default thresholdTokens */
  readonly maxThresholdTokens?: number | undefined;
  readonly contextLength: number;
  readonly compactionCount: number;
  /** Estimated tokens of the prompt after the last compaction; `null` before the first. */
  readonly compactedTokens: number | null;
}

export interface CompressResult<M extends Message> {
  /** The input array itself if nothing changed. */
  readonly messages: readonly (M | InsertedMessage)[];
  readonly outcome: Outcome;
  /**
   * What `edits`, `provenance` and the report's message counts refer to: the input `messages`, or `source.messages`.
   */
  readonly basis: PlanBasis;
  readonly edits: readonly Edit[];
  readonly provenance: Provenance;
  readonly report: CompressReport;
  /** Applies this plan's change to the state of the engine, once. Only with `hold`, and only if the plan changes something. */
  readonly commit?: (() => void) | undefined;
}

export interface EngineStatus extends TokenState {
  readonly engine: string;
  readonly model: string | null;
  readonly strikes: number;
  readonly cooldownUntil: number | null;
  /** Why the last summary failed; `null` after a success. */
  readonly lastFailure: FailureReport | null;
  /** The auxiliary summarizer's failure in the last call, if the main model was used instead; otherwise `null`. */
  readonly auxiliaryFailure: FailureReport | null;
  /** Explains to a user why the engine would or would not compact now. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** State of an engine that survives a restart. JSON. */
export interface EngineSnapshot {
  readonly engine: string;
  readonly version: number;
  readonly state: {
    readonly planner: unknown;
    readonly trigger: TriggerState;
    readonly tokens: TokenState;
    readonly settled: Settled | null;
  };
}

/** Fingerprint of the last output, and its options. The same options on the same messages are then a no-op. */
export interface Settled {
  readonly length: number;
  readonly fingerprint: string;
  readonly targetTokens: number | null;
  readonly focusTopic: string | null;
  readonly effort: 'free' | 'full';
  readonly force: boolean;
  readonly keepLastTurns: number;
}

/** The engine interface that hosts call. One instance per session; never shared between agents. */
export interface ContextEngine {
  readonly name: string;
  readonly state: TokenState;
  /** Passes the provider's token counts to the engine. Call it after every response. */
  updateFromResponse(usage: Usage): void;
  /** `explain(promptTokens).compact` */
  shouldCompress(promptTokens?: number): boolean;
  /**
   * Returns whether to compact now, why, and when that may change.
   * @param promptTokens size of the next prompt.
   * @default the last reported
   */
  explain(promptTokens?: number): Decision;
  /**
   * Compacts a transcript. The input is never modified, and the engine's state changes only when a plan is applied.
   * Concurrent calls run one after the other.
   * @throws {PalimpsestError} `MESSAGES_INVALID`, `INVARIANT_VIOLATED`, `PLAN_INVALID`, `PLAN_CONFLICT`
   */
  compress<M extends Message>(messages: readonly M[], asked?: CompressOptions): Promise<CompressResult<M>>;
  onSessionStart(info: SessionInfo): Promise<void>;
  /**
   * Passes the conversation to engines that process every response. Call it once per answered request. `usage` is `null`
   * when the provider reported none.
   */
  onResponse(messages: readonly Message[], usage: Usage | null): Promise<void>;
  /** Ends the session. Do not call it after every turn. */
  onSessionEnd(messages: readonly Message[]): Promise<void>;
  onSessionReset(): void;
  toolSchemas(): readonly ToolSchema[];
  /** Runs a tool of the engine. For an unknown tool, returns `{"error": "Unknown context engine tool: x"}` and does not throw. */
  handleToolCall(name: string, input: Record<string, unknown>, context: ToolCallContext): Promise<string>;
  status(): EngineStatus;
  /**
   * Sets the model. Call it before first use and on every switch; setting the same model again has no effect. Resolves
   * when the model's budget is known. Later `compress` calls wait for it; await it before you read `state` or call
   * `explain`.
   * @throws {PalimpsestError} `OPTION_INVALID` when a numeric field is not a valid number
   */
  updateModel(model: ModelInfo): Promise<void>;
  snapshot(): EngineSnapshot;
  /**
   * Restores a snapshot. If it is damaged, or from another engine or version, the engine starts clean and
   * emits `snapshot-discarded`.
   */
  restore(snapshot: EngineSnapshot): Promise<void>;
}
