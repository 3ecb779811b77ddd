import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeModel,
  changeTrigger,
  type EngineState,
  initialEngineState,
  reportUsage,
  reset,
  setDefaultBudget,
  type Transition,
  takePlan,
  takeSnapshot,
} from '../src/engine/engine-state.ts';
import type { Budget, ModelInfo } from '../src/engine/model.ts';
import { cancelledCooldownMs, clearStrikes, initialTrigger, recordFailure, recordPass } from '../src/engine/trigger.ts';

interface Count {
  readonly passes: number;
}

const initial: Count = { passes: 0 };
const model = (contextLength: number, id = 'm'): ModelInfo => ({ id, contextLength });
const budget = (contextLength: number): Budget => ({
  contextLength,
  usableTokens: contextLength,
  thresholdTokens: contextLength / 2,
  tailTokens: 0,
  summaryTokens: 0,
});
const settled = {
  length: 3,
  fingerprint: 'f',
  targetTokens: null,
  focusTopic: null,
  effort: 'full',
  force: false,
  keepLastTurns: 0,
} as const;
const failure = { class: 'network', message: 'down', cooldownMs: 60_000 };
const after = (...changes: readonly Transition<Count>[]): EngineState<Count> =>
  changes.reduce((state, change) => change(state), initialEngineState(initial));
const toModel = (contextLength: number, id?: string): Transition<Count> =>
  changeModel(model(contextLength, id), budget(contextLength));
const appliedTo = (compactedTokens: number): Transition<Count> =>
  takePlan({ planner: { passes: 1 }, settled, promptTokens: 400, compactedTokens });
const applied = appliedTo(400);
const weak: Transition<Count> = changeTrigger((trigger) => recordPass(trigger, { saving: 0.01, dense: false }, 5));
const forced: Transition<Count> = changeTrigger(clearStrikes);
const called = (isFailure: boolean, at: number): Transition<Count> =>
  changeTrigger((trigger) => recordFailure(trigger, isFailure ? failure : null, at, isFailure ? null : failure));
const cancelled: Transition<Count> = changeTrigger((trigger) =>
  recordFailure(trigger, { ...failure, cooldownMs: cancelledCooldownMs }, 0),
);
const used = (promptTokens: number): Transition<Count> => reportUsage({ promptTokens, completionTokens: 1 });

const anyChange: fc.Arbitrary<Transition<Count>> = fc.oneof(
  fc.constantFrom<Transition<Count>>(
    reset(initial),
    toModel(1_000),
    toModel(2_000, 'n'),
    setDefaultBudget(budget(128_000)),
    called(true, 7),
    called(false, 8),
    cancelled,
    forced,
    weak,
    applied,
  ),
  fc.nat(3_000).map(used),
);

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) frozen(item);
  return value;
}

describe('the state of an engine', () => {
  it('never changes in place, and stays JSON', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
        let state = frozen(initialEngineState(initial));
        for (const change of changes) state = frozen(change(state));
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
    );
  });

  it('after a reset is that of a new engine on the same model', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
        const before = after(...changes);
        const { resets, ...rest } = reset(initial)(before);
        const { model: known, budget: its, tokens } = before;
        const { contextLength } = tokens;
        const thresholdTokens = contextLength > 0 ? its!.thresholdTokens : 0;
        const latest =
          its && Math.max(its.thresholdTokens, its.maxThresholdTokens ?? Math.floor(its.usableTokens * 0.85));
        const maxThresholdTokens = contextLength > 0 ? latest! : 0;
        const fresh = initialEngineState(initial);
        const { resets: _, ...clean } = {
          ...fresh,
          model: known,
          budget: its,
          tokens: { ...fresh.tokens, thresholdTokens, maxThresholdTokens, contextLength },
        };
        expect(rest).toEqual(clean);
        expect(resets).toBe(before.resets + 1);
      }),
    );
  });

  it('counts strikes and blocks at the second one, until usage below the threshold is reported', () => {
    const blocked = after(toModel(1_000), weak, weak);
    expect(blocked.trigger).toMatchObject({ strikes: 2, blockedAt: 5 });
    expect(used(499)(blocked).trigger).toMatchObject({ strikes: 0, blockedAt: null });
    expect(used(500)(blocked).trigger.strikes).toBe(2);
    expect(forced(blocked).trigger.strikes).toBe(0);
  });

  it('forgets strikes and the last output on another model, and nothing on the same one', () => {
    const state = after(toModel(1_000), weak, applied);
    expect(toModel(1_000)(state)).toBe(state);
    expect(toModel(2_000)(state)).toMatchObject({
      settled: null,
      trigger: { strikes: 0 },
      tokens: { thresholdTokens: 1_000, contextLength: 2_000, compactionCount: 1 },
      budget: { tailTokens: 0, thresholdTokens: 1_000 },
    });
    // The first model after a restore keeps the restored state.
    expect(after(weak, applied, toModel(1_000))).toMatchObject({ settled, trigger: { strikes: 1 } });
  });

  it('moves the threshold up if what stays after a compaction leaves no stretch of work', () => {
    const thresholdAfter = (...changes: readonly Transition<Count>[]): number =>
      after(toModel(1_000), ...changes).tokens.thresholdTokens;
    const small = appliedTo(200);
    const large = appliedTo(800);
    expect(thresholdAfter(used(480))).toBe(500);
    expect(thresholdAfter(small)).toBe(500);
    // In a small window, a threshold that moves leaves as much work as one at the end of the window would.
    expect(thresholdAfter(applied)).toBe(825);
    // Never above 85 % of the usable window.
    expect(thresholdAfter(large)).toBe(850);
    // A response shows how the prompt grows, not what a compaction left.
    expect(thresholdAfter(applied, used(450), used(640))).toBe(825);
    expect(thresholdAfter(large, small)).toBe(500);
    expect(thresholdAfter(applied, reset(initial))).toBe(500);
    expect(thresholdAfter(applied, toModel(2_000, 'n'))).toBe(1_000);
    const capped: Transition<Count> = changeModel(model(1_000), { ...budget(1_000), maxThresholdTokens: 600 });
    expect(after(capped, applied).tokens.thresholdTokens).toBe(600);
    // A quarter of a small window is too little to pay for a summary.
    const reserved: Transition<Count> = changeModel(model(60_000), {
      ...budget(60_000),
      usableTokens: 54_000,
      thresholdTokens: 48_000,
    });
    expect(after(reserved, appliedTo(20_000)).tokens.thresholdTokens).toBe(48_000);
    expect(after(reserved, appliedTo(26_000)).tokens.thresholdTokens).toBe(50_000);
    expect(after(reserved, appliedTo(40_000)).tokens.thresholdTokens).toBe(51_000);
  });

  it('keeps the default budget only until a model is known', () => {
    const late: Transition<Count> = setDefaultBudget(budget(128_000));
    expect(after(late).budget?.contextLength).toBe(128_000);
    expect(after(late, toModel(1_000)).budget?.contextLength).toBe(1_000);
    expect(after(toModel(1_000), late).budget?.contextLength).toBe(1_000);
  });

  it('takes only known fields of a snapshot', () => {
    const restored = {
      planner: { passes: 4 },
      trigger: initialTrigger,
      tokens: { ...after().tokens, lastPromptTokens: 7, thresholdTokens: 999 },
      settled: null,
      resets: 77,
      budget: null,
    };
    const state = after(toModel(1_000), takeSnapshot(restored));
    expect(state).toMatchObject({
      planner: { passes: 4 },
      resets: 0,
      budget: { contextLength: 1_000 },
      tokens: { lastPromptTokens: 7, thresholdTokens: 500 },
    });
  });

  it('waits longer after every failed or cancelled model call, and not at all after a success', () => {
    const once = after(cancelled);
    expect(once.trigger.cooldown?.until).toBe(15_000);
    expect(cancelled(once).trigger.cooldown?.until).toBe(60_000);
    expect(called(false, 1)(once).trigger).toMatchObject({ cooldown: null, failures: 0, auxiliaryFailure: failure });
  });
});
