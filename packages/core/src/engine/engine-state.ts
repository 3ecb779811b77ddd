import type { Usage } from '../host/summarizer.ts';
import type { Settled, TokenState } from './engine.ts';
import { type Budget, isSameModel, type ModelInfo } from './model.ts';
import { maxThreshold, nextThreshold } from './next-threshold.ts';
import type { Restored } from './restore-snapshot.ts';
import { clearStrikes, initialTrigger, type TriggerState } from './trigger.ts';

/** The state an engine keeps between calls. */
export interface EngineState<S> {
  /** The planner's own state. */
  readonly planner: S;
  readonly trigger: TriggerState;
  readonly tokens: TokenState;
  /** The last output; `null` before the first, and after a change of model. */
  readonly settled: Settled | null;
  /** `null` before the first `updateModel`. */
  readonly model: ModelInfo | null;
  /** The planner's budget for the model, or for an unknown model; `null` until it was requested. */
  readonly budget: Budget | null;
  /** True after the host was notified that automatic compaction is blocked. */
  readonly isBlockAnnounced: boolean;
  /** Number of resets. The plan of a pass that began before a reset is not applied. */
  readonly resets: number;
}

/** Something that happened to an engine: returns the next state. Pure. */
export type Transition<S> = (state: EngineState<S>) => EngineState<S>;

/** The state of a new engine. */
export function initialEngineState<S>(planner: S): EngineState<S> {
  return {
    planner,
    trigger: initialTrigger,
    tokens: noTokens,
    settled: null,
    model: null,
    budget: null,
    isBlockAnnounced: false,
    resets: 0,
  };
}

/** Clears the conversation. The model and its budget stay. @param initial the planner's initial state */
export function reset<S>(initial: S): Transition<S> {
  return ({ model, budget, tokens, resets }) => ({
    ...initialEngineState(initial),
    model,
    budget,
    tokens: atWindowOf(tokens, noTokens, budget),
    resets: resets + 1,
  });
}

/** Takes over a snapshot. Its fields are copied by name, because it may contain others. */
export function takeSnapshot<S>({ planner, trigger, tokens, settled }: Restored<S>): Transition<S> {
  return (state) => ({ ...state, planner, trigger, tokens: atWindowOf(state.tokens, tokens, state.budget), settled });
}

export function changeModel<S>(model: ModelInfo, budget: Budget): Transition<S> {
  return (state) => {
    const tokens = afterSwitch(state.tokens, model, budget);
    if (state.model === null) return { ...state, model, budget, tokens };
    if (isSameModel(state.model, model)) return state;
    // Output that fit the old window may be too large for the new one.
    return { ...state, model, budget, tokens, trigger: clearStrikes(state.trigger), settled: null };
  };
}

/** Sets the budget for an unknown model, used before the first `updateModel`. */
export function setDefaultBudget<S>(budget: Budget): Transition<S> {
  return (state) => ({ ...state, budget: state.budget ?? budget });
}

export function reportUsage<S>(usage: Usage): Transition<S> {
  return ({ trigger, tokens, ...rest }) => ({
    ...rest,
    tokens: afterUsage(tokens, usage),
    trigger: usage.promptTokens < tokens.thresholdTokens ? clearStrikes(trigger) : trigger,
  });
}

export function changeTrigger<S>(change: (trigger: TriggerState) => TriggerState): Transition<S> {
  return (state) => ({ ...state, trigger: change(state.trigger) });
}

/** What an applied plan leaves. */
export interface AppliedPlan<S> {
  readonly planner: S;
  readonly settled: Settled;
  /** Estimated tokens of the prompt after the plan. */
  readonly promptTokens: number;
  /** Like `promptTokens`, but with the overhead of the caller's own count of the prompt if that is larger. */
  readonly compactedTokens: number;
}

export function takePlan<S>({ planner, settled, ...sizes }: AppliedPlan<S>): Transition<S> {
  return (state) => ({ ...state, planner, settled, tokens: afterCompaction(state.tokens, sizes, state.budget) });
}

/** The token state before the first response and without a model. */
const noTokens: TokenState = {
  lastPromptTokens: 0,
  lastCompletionTokens: 0,
  thresholdTokens: 0,
  maxThresholdTokens: 0,
  contextLength: 0,
  compactionCount: 0,
  compactedTokens: null,
};

/** Combines stored token counts, such as a snapshot's, with the window and the threshold of the current model. */
function atWindowOf({ contextLength }: TokenState, counted: TokenState, budget: Budget | null): TokenState {
  return withThreshold({ ...noTokens, ...counted, contextLength }, budget);
}

/** The token state after a response. */
function afterUsage(tokens: TokenState, { promptTokens, completionTokens }: Usage): TokenState {
  return {
    ...tokens,
    lastPromptTokens: promptTokens,
    lastCompletionTokens: completionTokens,
  };
}

/** The token state after a compaction. Prompt sizes are estimates in tokens. */
function afterCompaction(
  tokens: TokenState,
  { promptTokens, compactedTokens }: { readonly promptTokens: number; readonly compactedTokens: number },
  budget: Budget | null,
): TokenState {
  const compactionCount = tokens.compactionCount + 1;
  return withThreshold({ ...tokens, lastPromptTokens: promptTokens, compactedTokens, compactionCount }, budget);
}

/** The token state after a switch to another model. If the window is unknown, the threshold is 0. */
function afterSwitch(tokens: TokenState, { contextLength }: ModelInfo, budget: Budget): TokenState {
  return withThreshold({ ...tokens, contextLength }, budget);
}

function withThreshold(tokens: TokenState, budget: Budget | null): TokenState {
  if (budget === null) return tokens;
  const maxThresholdTokens = tokens.contextLength > 0 ? maxThreshold(budget) : 0;
  return { ...tokens, thresholdTokens: nextThreshold(tokens, budget), maxThresholdTokens };
}
