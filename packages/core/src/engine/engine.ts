import type { Message } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import type { Edit } from '../plans/edit.ts';
import type { InsertedMessage } from '../plans/inserted-message.ts';
import type { Provenance } from '../plans/provenance.ts';
import type { Budget, ModelInfo, Usage } from './model.ts';
import type { CompressReport, FailureReport, Outcome, PlanNotes } from './report.ts';
import type { Decision, PromptSize, TriggerOptions, TriggerState } from './trigger.ts';

/** What belongs to one compression, nothing else. Token figures are of the whole prompt. */
export interface CompressRequest {
  /** The real size of the prompt, when the caller knows it better than an estimate. */
  readonly currentTokens?: number | undefined;
  /** What the prompt holds besides `messages`: tool schemas, a separate system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
  /** Where to land. Not the trigger. @default the engine's own */
  readonly targetTokens?: number | undefined;
  /** What to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** `free`: no model call. @default 'full' */
  readonly effort?: 'free' | 'full' | undefined;
  /** Compress also below the threshold, and in spite of strikes and cooldowns. @default false */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the host's memory wants the summary to know; quoted as data. */
  readonly memoryContext?: string | undefined;
  /** Keep at least this many of the newest exchanges (a request and all that answered it) as they are. */
  readonly keepLastExchanges?: number | undefined;
  /**
   * The caller's untouched history, when `messages` is a projection of it. Engines may read it; nothing is written to it.
   * @default `messages` is the history
   */
  readonly source?: readonly Message[] | undefined;
}

/** A plan: JSON edits, the state to commit if they hold, and what to say about them. */
export interface Plan<S> {
  readonly edits: readonly Edit[];
  /** Becomes the planner's state when, and only when, the plan is committed. JSON. */
  readonly state: S;
  /** `degraded` and `aborted` are the planner's to say; else core tells `compressed` from `unchanged`. An aborted plan has no edits. */
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

/** Tools an engine offers to the agent. */
export interface EngineTools {
  readonly schemas: readonly ToolSchema[];
  /** Answers a call with a JSON string. */
  handle(name: string, input: Record<string, unknown>, context: ToolCallContext): Promise<string>;
}

export interface ToolCallContext {
  readonly messages: readonly Message[];
  readonly signal?: AbortSignal | undefined;
}

export interface SessionInfo {
  readonly sessionId: string;
  readonly model?: ModelInfo | undefined;
}

/** Everything a planner needs for one plan. Planners keep nothing of it between calls, except in their state. */
export interface PlanInput<S> {
  /** The messages to compress, with their token counts, groups and current request. */
  readonly transcript: Transcript;
  /** The caller's untouched history, when the transcript is a projection of it; otherwise absent. */
  readonly source?: readonly Message[] | undefined;
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
   * What may be spent on a model, in tokens. Pure: called again for every model, and its result is passed to `plan`.
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
  readonly tools?: EngineTools;
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

/** What providers said about the last request, and where compression stands. Tokens. */
export interface TokenState {
  readonly lastPromptTokens: number;
  readonly lastCompletionTokens: number;
  readonly lastTotalTokens: number;
  readonly thresholdTokens: number;
  readonly contextLength: number;
  readonly compressionCount: number;
}

export interface CompressResult<M extends Message> {
  /** The input array itself when nothing was done. */
  readonly messages: readonly (M | InsertedMessage)[];
  readonly outcome: Outcome;
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
  /** Why the last summary could not be had; `null` after one that could. */
  readonly lastFailure: FailureReport | null;
  /** How the auxiliary summarizer failed in the last call, when the main model did its work. */
  readonly auxiliaryFailure: FailureReport | null;
  /** What a user should read: why the engine would or would not compress now. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Everything that must outlive a restart. JSON. */
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

/** The last output and what was asked for, so that the same request on it is recognised as settled. */
export interface Settled {
  readonly length: number;
  readonly fingerprint: string;
  readonly targetTokens: number | null;
  readonly focusTopic: string | null;
  readonly effort: 'free' | 'full';
  readonly force: boolean;
  readonly keepLastExchanges: number;
}

/** What hosts call. One instance per session; never shared between agents. */
export interface ContextEngine {
  readonly name: string;
  readonly state: TokenState;
  /** Tells what the provider counted; call it after every response. */
  updateFromResponse(usage: Usage): void;
  /** `explain(promptTokens).compress` */
  shouldCompress(promptTokens?: number): boolean;
  /** Why, or why not; when again. @param promptTokens the next prompt's size. @default the last reported */
  explain(promptTokens?: number): Decision;
  /**
   * Plans, applies, checks. The input is never touched, and the engine's state changes only when the plan holds.
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
  /** At real session boundaries only, never per turn. */
  onSessionEnd(messages: readonly Message[]): Promise<void>;
  onSessionReset(): void;
  toolSchemas(): readonly ToolSchema[];
  /** An unknown tool is answered, not thrown: `{"error": "Unknown context engine tool: x"}`. */
  handleToolCall(name: string, input: Record<string, unknown>, context: ToolCallContext): Promise<string>;
  status(): EngineStatus;
  /**
   * Sets the model. Call once before use and on every switch; the same model again has no effect. Resolves when the
   * budget for it is known. A `compress` called after this waits for it; await it before reading `state` or `explain`.
   * @throws {PalimpsestError} `OPTION_INVALID` when a numeric field is not a valid number
   */
  updateModel(model: ModelInfo): Promise<void>;
  snapshot(): EngineSnapshot;
  /** Another engine's, another version's without a migration, or a broken snapshot gives a clean start and an event. */
  restore(snapshot: EngineSnapshot): Promise<void>;
}
