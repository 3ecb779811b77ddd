import type { Message } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import type { Edit } from '../plans/edit.ts';
import type { InsertedMessage } from '../plans/inserted-message.ts';
import type { Origin, Provenance } from '../plans/provenance.ts';
import type { Budget, ModelInfo, Usage } from './model.ts';
import type { CompressReport, FailureReport, Outcome, PlanNotes } from './report.ts';
import type { Decision, PromptSize, TriggerOptions, TriggerState } from './trigger.ts';

/** Options of one compression. Token figures are for the whole prompt. */
export interface CompressRequest {
  /** The actual size of the prompt, if the caller knows it. @default an estimate */
  readonly currentTokens?: number | undefined;
  /** Tokens of the prompt besides `messages`: tool schemas, a separate system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
  /** Size of the prompt to compress to; not the trigger. @default the engine's own */
  readonly targetTokens?: number | undefined;
  /** Topic to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** `free`: no model call. @default 'full' */
  readonly effort?: 'free' | 'full' | undefined;
  /** Compress even below the threshold, and despite strikes and cooldowns. @default false */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Context from the host's memory for the summary; quoted as data. */
  readonly memoryContext?: string | undefined;
  /** Keep at least this many of the newest exchanges (a request and everything that answers it) unchanged. */
  readonly keepLastExchanges?: number | undefined;
  /**
   * The caller's untouched history, when `messages` is a projection of it: the output of an earlier plan, with what was
   * appended since. An engine may then plan over the history instead; see {@link CompressResult.basis}.
   * @default `messages` is the history
   */
  readonly source?: CompressSource | undefined;
}

/** The history that a projection was made from. */
export interface CompressSource {
  readonly messages: readonly Message[];
  /** For every message of the projection, where in `messages` it comes from: `provenance.output` of the earlier plan. */
  readonly origins: readonly Origin[];
}

/** The messages that the edits of a plan are relative to: those to compress, or the history they are a projection of. */
export type PlanBasis = 'transcript' | 'source';

/** A plan: JSON edits, the state to commit when they are applied, and notes for the report. */
export interface Plan<S> {
  readonly edits: readonly Edit[];
  /**
   * What the edits are relative to. `source`: the history in {@link PlanInput.source}. Such a plan replaces the earlier
   * one, and has to result in fewer tokens than the transcript has.
   * @default 'transcript'
   */
  readonly basis?: PlanBasis | undefined;
  /** Becomes the planner's state only when the plan is committed. JSON. */
  readonly state: S;
  /** Set by the planner for `degraded` and `aborted`; otherwise core reports `compressed` or `unchanged`. An aborted plan has no edits. */
  readonly outcome?: 'degraded' | 'aborted' | undefined;
  readonly notes?: PlanNotes | undefined;
}

export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    readonly parameters?: Record<string, unknown> | undefined;
  };
}

/** Tools an engine offers to the agent. `S` is the planner's state. */
export interface EngineTools<S = unknown> {
  readonly schemas: readonly ToolSchema[];
  /** Answers a call with a JSON string. */
  handle(name: string, input: Record<string, unknown>, context: EngineToolContext<S>): Promise<string>;
}

export interface ToolCallContext {
  readonly messages: readonly Message[];
  readonly signal?: AbortSignal | undefined;
}

/** What an engine answers a tool call from. */
export interface EngineToolContext<S> extends ToolCallContext {
  /** The state of the last plan that was applied, or the initial state. Read-only: only a plan changes it. */
  readonly state: S;
}

export interface SessionInfo {
  readonly sessionId: string;
  readonly model?: ModelInfo | undefined;
}

/** The history that the transcript of a {@link PlanInput} is a projection of. */
export interface PlanSource {
  readonly transcript: Transcript;
  /** For every message of the projection, where in the history it comes from. */
  readonly origins: readonly Origin[];
}

/** Everything a planner needs for one plan. Planners keep nothing of it between calls, except in their state. */
export interface PlanInput<S> {
  /** The messages to compress, with their token counts, groups and current request. */
  readonly transcript: Transcript;
  /** The caller's untouched history, when the transcript is a projection of it; otherwise absent. */
  readonly source?: PlanSource | undefined;
  /** What the caller asked for. */
  readonly request: Omit<CompressRequest, 'source'>;
  /** The planner's own budget for the current model. */
  readonly budget: Budget;
  /** The state of the last plan that was applied, or the initial state. */
  readonly state: S;
  /** Number of consecutive passes that saved too little. */
  readonly strikes: number;
}

/**
 * The part of an engine that its author writes: a pure function from transcript, request, budget and state to a plan.
 * It never mutates its input and never applies a plan; `createEngine` does everything else, the same for all engines.
 * `S` is JSON: everything that must outlive a restart.
 */
export interface EnginePlanner<S> {
  readonly initial: S;
  /**
   * Computes the token budget for a model. Pure: called again for every model, and its result is passed to `plan`.
   * @param signal aborted when the host stops waiting
   */
  budget(model: ModelInfo, signal?: AbortSignal): Budget | Promise<Budget>;
  plan(input: PlanInput<S>): Promise<Plan<S>>;
  /** Overrides figures of core's trigger. @default `triggerDefaults` */
  readonly trigger?: Partial<TriggerOptions> | undefined;
  /** Replaces core's trigger: threshold, strikes, cooldown, probe. */
  decide?(size: PromptSize, state: S): Decision;
  /** A quick check whether anything could be compressed. @default true */
  hasContentToCompress?(input: Pick<PlanInput<S>, 'transcript' | 'budget' | 'state'>): boolean;
  /** Details for `status()`. JSON. */
  status?(state: S): Readonly<Record<string, unknown>>;
  readonly tools?: EngineTools<S>;
  readonly session?: {
    /** Called at the start of a session. May return the initial state of this session. */
    start?(info: SessionInfo): Promise<S | undefined>;
    /**
     * Called once after every answered request, with the conversation. For engines that ingest as they go. `usage` is
     * `null` when the provider reported none.
     */
    turn?(messages: readonly Message[], usage: Usage | null): Promise<void>;
    end?(messages: readonly Message[]): Promise<void>;
  };
}

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
