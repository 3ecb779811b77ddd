import { formatNumber } from '../format-number.ts';
import type { DecisionReason } from '../host/event.ts';
import type { FailureReport } from './report.ts';

export interface Decision {
  readonly compact: boolean;
  /**
   * The allowed effort. `free`, for example during a cooldown, allows no model calls, only pruning and a rule-based
   * handoff.
   */
  readonly effort: 'none' | 'free' | 'full';
  readonly reason: DecisionReason;
  /** One or two sentences for a user. */
  readonly message: string;
  /**
   * When this decision may change, in milliseconds since the epoch; `null` when only a new prompt size can change it.
   */
  readonly retryAt: number | null;
}

export interface PromptSize {
  readonly promptTokens: number;
  readonly thresholdTokens: number;
  readonly contextLength: number;
}

/** The trigger's state. JSON, part of every snapshot. */
export interface TriggerState {
  /** Number of consecutive passes that saved too little. */
  readonly strikes: number;
  /** When the strikes last reached the limit, in milliseconds since the epoch; `null` while not blocked. */
  readonly blockedAt: number | null;
  /** True if the last weak pass found too little to remove; false if its summary was too long. */
  readonly dense: boolean;
  /** Number of consecutive summarizer failures. */
  readonly failures: number;
  readonly cooldown: { readonly until: number; readonly failure: FailureReport } | null;
  /** Why the last summary failed; `null` after a success. */
  readonly lastFailure: FailureReport | null;
  /** The auxiliary summarizer's failure in the last call; `null` when it did not fail. */
  readonly auxiliaryFailure: FailureReport | null;
}

export interface TriggerOptions {
  /** A pass that saves a smaller share is a strike. @default 0.1 */
  readonly minimumSaving: number;
  /** Number of consecutive strikes that block automatic compaction. @default 2 */
  readonly maximumStrikes: number;
  /** How long a block lasts before one probe is allowed. @default 300_000 */
  readonly probeAfterMs: number;
}

/**
 * The default settings: two passes in a row that save under 10 % block automatic compaction, and one probe is allowed
 * after five minutes.
 */
export const triggerDefaults: TriggerOptions = { minimumSaving: 0.1, maximumStrikes: 2, probeAfterMs: 300_000 };

export const initialTrigger: TriggerState = {
  strikes: 0,
  blockedAt: null,
  dense: false,
  failures: 0,
  cooldown: null,
  lastFailure: null,
  auxiliaryFailure: null,
};

/**
 * How long automatic model calls wait after the caller cancelled a running one, in milliseconds. Clients cancel calls
 * that exceed their own timeout and retry immediately. During the first wait, that retry runs without the model.
 */
export const cancelledCooldownMs: readonly number[] = [15_000, 60_000, 300_000, 900_000];

/** Decides whether automatic compaction should run, and explains why. Pure. */
export function decide(
  size: PromptSize,
  state: TriggerState,
  now: number,
  options: TriggerOptions = triggerDefaults,
): Decision {
  const { promptTokens, thresholdTokens } = size;
  const at = `The prompt holds ${formatNumber(promptTokens)} tokens, the threshold is ${formatNumber(thresholdTokens)}`;
  if (thresholdTokens <= 0)
    return no(
      'no-window',
      'The window of the model is not known, so nothing is compacted. Call updateModel with its contextLength.',
      null,
    );
  if (promptTokens < thresholdTokens) return no('below-threshold', `${at}.`, null);
  if (state.cooldown && now < state.cooldown.until)
    return {
      ...no(
        'cooldown',
        `${at}, but the summarizer failed (${state.cooldown.failure.class}); automatic model calls wait ${seconds(state.cooldown.until - now)}. Until then old output is pruned, and rules write the handoff where that is not enough.`,
        state.cooldown.until,
      ),
      effort: 'free',
    };
  if (state.blockedAt !== null) {
    const probeAt = state.blockedAt + options.probeAfterMs;
    if (now >= probeAt)
      return {
        compact: true,
        effort: 'full',
        reason: 'probe',
        message: `${at}; trying once more after a pause.`,
        retryAt: null,
      };
    const wait = `The next attempt is in ${seconds(probeAt - now)}.`;
    return state.dense
      ? no(
          'blocked-dense',
          `${at}, but what is left must stay: the session is near its limit. Start a new session, or give a focus topic. ${wait}`,
          probeAt,
        )
      : no(
          'blocked-ineffective',
          `${at}, but the last ${state.strikes} passes saved under ${Math.round(options.minimumSaving * 100)} % each: the summaries come out too long. Use another summarizer, or give a focus topic. ${wait}`,
          probeAt,
        );
  }
  return { compact: true, effort: 'full', reason: 'over-threshold', message: `${at}.`, retryAt: null };
}

/**
 * The state after a pass. A weak pass adds a strike; any other clears them. `dense`: the pass found too little to
 * remove.
 */
export function recordPass(
  state: TriggerState,
  pass: { readonly saving: number; readonly dense: boolean },
  now: number,
  options: TriggerOptions = triggerDefaults,
): TriggerState {
  if (pass.saving >= options.minimumSaving) return { ...state, strikes: 0, blockedAt: null, dense: false };
  const strikes = state.strikes + 1;
  const blockedAt = strikes >= options.maximumStrikes ? now : null;
  return { ...state, strikes, blockedAt, dense: pass.dense };
}

/**
 * The state after a summarizer call.
 * @param failure its failure, or `null` for a success, which ends the cooldown
 * @param auxiliary the failure of another summarizer before it; recorded, but starts no cooldown. @default none
 */
export function recordFailure(
  state: TriggerState,
  failure: FailureReport | null,
  now: number,
  auxiliary: FailureReport | null = null,
): TriggerState {
  if (!failure) return { ...state, failures: 0, cooldown: null, lastFailure: null, auxiliaryFailure: auxiliary };
  const waits = typeof failure.cooldownMs === 'number' ? [failure.cooldownMs] : failure.cooldownMs;
  const wait = waits[Math.min(state.failures, waits.length - 1)] ?? 0;
  return {
    ...state,
    failures: state.failures + 1,
    cooldown: wait > 0 ? { until: now + wait, failure } : state.cooldown,
    lastFailure: failure,
    auxiliaryFailure: auxiliary,
  };
}

/**
 * Clears strikes and the block. Called after a provider's count below the threshold, on `force`, and on a model switch.
 */
export function clearStrikes(state: TriggerState): TriggerState {
  return state.strikes === 0 && state.blockedAt === null ? state : { ...state, strikes: 0, blockedAt: null };
}

function no(reason: DecisionReason, message: string, retryAt: number | null): Decision {
  return { compact: false, effort: 'none', reason, message, retryAt };
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
