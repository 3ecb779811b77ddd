import type { Usage } from '../host/summarizer.ts';
import type { Message } from '../messages/message.ts';
import type { Edit } from '../plans/edit.ts';
import type { Origin } from '../plans/provenance.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { CompressOptions } from './compress-options.ts';
import type { Budget, ModelInfo } from './model.ts';
import type { PlanNotes } from './report.ts';
import type { SessionInfo } from './session-info.ts';
import type { EngineTools } from './tools.ts';
import type { TriggerOptions } from './trigger.ts';

/**
 * The messages that the edits of a plan are relative to: `transcript`, the messages to compact; or `source`, the
 * history that they are a projection of.
 */
export type PlanBasis = 'transcript' | 'source';

/** A plan: JSON edits, the state to commit when they are applied, and notes for the report. */
export interface Plan<S> {
  readonly edits: readonly Edit[];
  /**
   * What the edits are relative to. `source` is the history in {@link PlanInput.source}. Such a plan replaces the
   * earlier plan. Its result must have fewer tokens than the transcript.
   * @default 'transcript'
   */
  readonly basis?: PlanBasis | undefined;
  /** Becomes the planner's state only when the plan is committed. JSON. */
  readonly state: S;
  /** Set by the planner for `degraded` and `aborted`; otherwise core reports `compacted` or `unchanged`. An aborted plan has no edits. */
  readonly outcome?: 'degraded' | 'aborted' | undefined;
  readonly notes?: PlanNotes | undefined;
}

/** The history that the transcript of a {@link PlanInput} is a projection of. */
export interface PlanSource {
  readonly transcript: Transcript;
  /** The origin in the history of each projected message. */
  readonly origins: readonly Origin[];
}

/** Everything a planner needs for one plan. A planner keeps data between calls only in its state. */
export interface PlanInput<S> {
  /** The messages to compact, with their token counts, groups and current task. */
  readonly transcript: Transcript;
  /** The caller's full history, when the transcript is a projection of it; otherwise absent. */
  readonly source?: PlanSource | undefined;
  /** What the caller asked for. `targetTokens` includes the results that the model has not seen yet. */
  readonly asked: Omit<CompressOptions, 'source'>;
  /** The planner's own budget for the current model. */
  readonly budget: Budget;
  /** The state of the last plan that was applied, or the initial state. */
  readonly state: S;
  /** Number of consecutive passes that saved too little. */
  readonly strikes: number;
}

/**
 * The part of an engine that its author writes: a pure function from transcript, options, budget and state to a plan.
 * It never mutates its input and never applies a plan; `createEngine` does the rest. `S` is JSON: the state that must
 * survive a restart.
 */
export interface EnginePlanner<S> {
  readonly initial: S;
  /**
   * Computes the token budget for a model. Pure: called again for every model, and its result is passed to `plan`.
   */
  budget(model: ModelInfo): Budget | Promise<Budget>;
  plan(input: PlanInput<S>): Promise<Plan<S>>;
  /** Overrides settings of core's trigger. @default `triggerDefaults` */
  readonly trigger?: Partial<TriggerOptions> | undefined;
  /** Details for `status()`. JSON. */
  status?(state: S): Readonly<Record<string, unknown>>;
  readonly tools?: EngineTools<S>;
  readonly session?: {
    /** Called at the start of a session. May return the initial state of this session. */
    start?(info: SessionInfo): Promise<S | undefined>;
    /**
     * Called with the conversation, once per answered request. For engines that process every response. `usage` is `null`
     * when the provider reported none.
     */
    response?(messages: readonly Message[], usage: Usage | null): Promise<void>;
    end?(messages: readonly Message[]): Promise<void>;
  };
}
