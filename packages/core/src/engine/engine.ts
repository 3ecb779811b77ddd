import type { Message } from '../messages/message.ts';
import type { Edit } from '../plans/edit.ts';
import type { InsertedMessage } from '../plans/inserted-message.ts';
import type { Provenance } from '../plans/provenance.ts';
import type { CompressRequest } from './compress-request.ts';
import type { ModelInfo, Usage } from './model.ts';
import type { PlanBasis } from './planner.ts';
import type { CompressReport, FailureReport, Outcome } from './report.ts';
import type { SessionInfo } from './session-info.ts';
import type { ToolCallContext, ToolSchema } from './tools.ts';
import type { Decision, TriggerState } from './trigger.ts';

/** Token counts that the provider reported for the last request, and the current threshold. */
export interface TokenState {
  readonly lastPromptTokens: number;
  readonly lastCompletionTokens: number;
  readonly lastTotalTokens: number;
  /** The prompt size that triggers compression; later than the budget's if the last compression left too little room. */
  readonly thresholdTokens: number;
  readonly contextLength: number;
  readonly compressionCount: number;
  /** Estimated tokens of the prompt after the last compression; `null` before the first. */
  readonly compactedTokens: number | null;
}

export interface CompressResult<M extends Message> {
  /** The input array itself if nothing changed. */
  readonly messages: readonly (M | InsertedMessage)[];
  readonly outcome: Outcome;
  /** What `edits`, `provenance` and the message counts of the report are relative to: `messages`, or `source.messages`. */
  readonly basis: PlanBasis;
  readonly edits: readonly Edit[];
  readonly provenance: Provenance;
  readonly report: CompressReport;
}

export interface EngineStatus extends TokenState {
  readonly engine: string;
  readonly model: string | null;
  /** `lastPromptTokens` of the window, at most 100; 0 without a window. */
  readonly usagePercent: number;
  readonly strikes: number;
  readonly lastSaving: number | null;
  readonly cooldownUntil: number | null;
  /** Why the last summary failed; `null` after a success. */
  readonly lastFailure: FailureReport | null;
  /** How the auxiliary summarizer failed in the last call, if the main model replaced it. */
  readonly auxiliaryFailure: FailureReport | null;
  /** Message for a user: why the engine would or would not compress now. */
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

/** Fingerprint of the last output and its request, so that the same request on it is a no-op. */
export interface Settled {
  readonly length: number;
  readonly fingerprint: string;
  readonly targetTokens: number | null;
  readonly focusTopic: string | null;
  readonly effort: 'free' | 'full';
  readonly force: boolean;
  readonly keepLastExchanges: number;
}

/** The engine interface that hosts call. One instance per session; never shared between agents. */
export interface ContextEngine {
  readonly name: string;
  readonly state: TokenState;
  /** Passes the provider's token counts to the engine. Call it after every response. */
  updateFromResponse(usage: Usage): void;
  /** `explain(promptTokens).compress` */
  shouldCompress(promptTokens?: number): boolean;
  /** Explains whether to compress now, and when that may change. @param promptTokens size of the next prompt. @default the last reported */
  explain(promptTokens?: number): Decision;
  /**
   * Compresses a transcript. The input is never modified, and the engine's state changes only when a plan is applied.
   * Concurrent calls run one after the other.
   * @throws {PalimpsestError} `MESSAGES_INVALID`, `INVARIANT_VIOLATED`, `PLAN_INVALID`, `PLAN_CONFLICT`
   */
  compress<M extends Message>(messages: readonly M[], request?: CompressRequest): Promise<CompressResult<M>>;
  hasContentToCompress(messages: readonly Message[]): boolean;
  onSessionStart(info: SessionInfo): Promise<void>;
  /**
   * Passes a completed turn to engines that ingest as they go. Call it once for every answered request, with the
   * conversation. `usage` is `null` when the provider reported none.
   */
  onTurn(messages: readonly Message[], usage: Usage | null): Promise<void>;
  /** Ends the session. Call it at real session boundaries only, never per turn. */
  onSessionEnd(messages: readonly Message[]): Promise<void>;
  onSessionReset(): void;
  toolSchemas(): readonly ToolSchema[];
  /** Runs a tool of the engine. For an unknown tool, returns `{"error": "Unknown context engine tool: x"}` and does not throw. */
  handleToolCall(name: string, input: Record<string, unknown>, context: ToolCallContext): Promise<string>;
  status(): EngineStatus;
  /**
   * Sets the model. Call once before use and on every switch; the same model again has no effect. Resolves when the
   * budget for it is known. A `compress` called after this waits for it; await it before reading `state` or `explain`.
   * @throws {PalimpsestError} `OPTION_INVALID` when a numeric field is not a valid number
   */
  updateModel(model: ModelInfo): Promise<void>;
  snapshot(): EngineSnapshot;
  /** Restores a snapshot. If it is damaged, from another engine, or cannot be migrated, the engine starts clean and emits an event. */
  restore(snapshot: EngineSnapshot): Promise<void>;
}
