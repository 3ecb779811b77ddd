import type { Settled, TokenState } from './engine.ts';
import { type Budget, isSameModel, type ModelInfo, type Usage } from './model.ts';
import type { FailureReport } from './report.ts';
import type { Restored } from './restore-snapshot.ts';
import { afterCompression, afterSwitch, afterUsage, atWindowOf, noTokens } from './token-state.ts';
import {
  cancelledCooldownMs,
  clearStrikes,
  initialTrigger,
  recordFailure,
  recordPass,
  type TriggerOptions,
  type TriggerState,
} from './trigger.ts';

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
  /** True after a restore, until a plan made with the restored state is applied. */
  readonly isUnproven: boolean;
  /** True after the host was notified that automatic compression is blocked. */
  readonly isBlockAnnounced: boolean;
  /** Number of resets. The plan of a pass that began before a reset is not applied. */
  readonly resets: number;
}

/** What can happen to an engine. */
export type EngineChange<S> =
  | { readonly type: 'reset' }
  | { readonly type: 'snapshot-restored'; readonly restored: Restored<S> }
  /** The planner failed on a restored state and starts again from its initial state. */
  | { readonly type: 'restored-state-rejected' }
  | { readonly type: 'session-started'; readonly planner: S }
  | { readonly type: 'model-changed'; readonly model: ModelInfo; readonly budget: Budget }
  /** The budget for an unknown model, used before the first `updateModel`. */
  | { readonly type: 'default-budget-set'; readonly budget: Budget }
  | { readonly type: 'usage-reported'; readonly usage: Usage }
  | { readonly type: 'block-announced'; readonly isBlocked: boolean }
  /** The caller cancelled a pass while it called a model. */
  | { readonly type: 'model-call-cancelled'; readonly failure: FailureReport; readonly at: number }
  | {
      readonly type: 'model-called';
      /** `null` for a success. */
      readonly failure: FailureReport | null;
      readonly auxiliaryFailure: FailureReport | null;
      readonly at: number;
    }
  | { readonly type: 'compression-forced' }
  /** A pass ended. `saving` is the share of tokens it saved; `dense` means that it found too little to remove. */
  | { readonly type: 'pass-weighed'; readonly saving: number; readonly dense: boolean; readonly at: number }
  | {
      readonly type: 'plan-applied';
      readonly planner: S;
      readonly settled: Settled;
      /** Estimated tokens of the prompt after the plan. */
      readonly promptTokens: number;
      /** Like `promptTokens`, but with the overhead of the caller's own count of the prompt if that is larger. */
      readonly compactedTokens: number;
    };

export type EngineReducer<S> = (state: EngineState<S>, change: EngineChange<S>) => EngineState<S>;

/** The state of a new engine. */
export function initialEngineState<S>(planner: S): EngineState<S> {
  return {
    planner,
    trigger: initialTrigger,
    tokens: noTokens,
    settled: null,
    model: null,
    budget: null,
    isUnproven: false,
    isBlockAnnounced: false,
    resets: 0,
  };
}

/** Creates the pure function that computes the next state of an engine. @param initial the planner's initial state */
export function engineReducer<S>(initial: S, options: TriggerOptions): EngineReducer<S> {
  return (state, change) => {
    const { trigger, tokens } = state;
    switch (change.type) {
      case 'reset':
        return { ...afterReset(state, initial), resets: state.resets + 1 };
      case 'snapshot-restored': {
        // Copied by name, because a snapshot may contain other fields.
        const { planner, trigger: restoredTrigger, tokens: counted, settled } = change.restored;
        const restoredTokens = atWindowOf(tokens, counted, state.budget);
        return { ...state, planner, trigger: restoredTrigger, tokens: restoredTokens, settled, isUnproven: true };
      }
      case 'restored-state-rejected':
        return { ...state, planner: initial, isUnproven: false };
      case 'session-started':
        return { ...state, planner: change.planner };
      case 'model-changed':
        return afterModelChange(state, change.model, change.budget);
      case 'default-budget-set':
        return { ...state, budget: state.budget ?? change.budget };
      case 'usage-reported':
        return {
          ...state,
          tokens: afterUsage(tokens, change.usage),
          trigger: change.usage.promptTokens < tokens.thresholdTokens ? clearStrikes(trigger) : trigger,
        };
      case 'block-announced':
        return { ...state, isBlockAnnounced: change.isBlocked };
      case 'model-call-cancelled': {
        const failure = { ...change.failure, cooldownMs: cancelledCooldownMs };
        return { ...state, trigger: recordFailure(trigger, failure, change.at) };
      }
      case 'model-called':
        return { ...state, trigger: recordFailure(trigger, change.failure, change.at, change.auxiliaryFailure) };
      case 'compression-forced':
        return { ...state, trigger: clearStrikes(trigger) };
      case 'pass-weighed':
        return { ...state, trigger: recordPass(trigger, change, change.at, options) };
      case 'plan-applied':
        return {
          ...state,
          planner: change.planner,
          isUnproven: false,
          settled: change.settled,
          tokens: afterCompression(tokens, change, state.budget),
        };
    }
  };
}

/** Clears the conversation. The model and its budget stay. */
function afterReset<S>(state: EngineState<S>, initial: S): EngineState<S> {
  const { model, budget, tokens, resets } = state;
  return { ...initialEngineState(initial), model, budget, tokens: atWindowOf(tokens, noTokens, budget), resets };
}

function afterModelChange<S>(state: EngineState<S>, model: ModelInfo, budget: Budget): EngineState<S> {
  const tokens = afterSwitch(state.tokens, model, budget);
  if (state.model === null) return { ...state, model, budget, tokens };
  if (isSameModel(state.model, model)) return state;
  // Output that fit the old window may be too large for the new one.
  return { ...state, model, budget, tokens, trigger: clearStrikes(state.trigger), settled: null };
}
