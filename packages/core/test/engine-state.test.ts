import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineChange, type EngineState, engineReducer, initialEngineState } from '../src/engine/engine-state.ts';
import type { Budget, ModelInfo } from '../src/engine/model.ts';
import { initialTrigger, triggerDefaults } from '../src/engine/trigger.ts';

interface Count {
  readonly passes: number;
}

const initial: Count = { passes: 0 };
const reduce = engineReducer(initial, triggerDefaults);
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
  keepLastExchanges: 0,
} as const;
const failure = { class: 'network', message: 'down', cooldownMs: 60_000 };
const after = (...changes: readonly EngineChange<Count>[]): EngineState<Count> =>
  changes.reduce(reduce, initialEngineState(initial));
const toModel = (contextLength: number, id?: string): EngineChange<Count> => ({
  type: 'model-changed',
  model: model(contextLength, id),
  budget: budget(contextLength),
});
const applied: EngineChange<Count> = {
  type: 'plan-applied',
  planner: { passes: 1 },
  settled,
  promptTokens: 400,
  compactedTokens: 400,
};
const weak: EngineChange<Count> = { type: 'pass-weighed', saving: 0.01, dense: false, at: 5 };

const anyChange: fc.Arbitrary<EngineChange<Count>> = fc.oneof(
  fc.constantFrom<EngineChange<Count>>(
    { type: 'reset' },
    { type: 'restored-state-rejected' },
    { type: 'session-started', planner: { passes: 9 } },
    toModel(1_000),
    toModel(2_000, 'n'),
    { type: 'default-budget-set', budget: budget(128_000) },
    { type: 'block-announced', isBlocked: true },
    { type: 'model-call-cancelled', failure, at: 7 },
    { type: 'model-called', failure, auxiliaryFailure: null, at: 7 },
    { type: 'model-called', failure: null, auxiliaryFailure: null, at: 8 },
    { type: 'compression-forced' },
    weak,
    applied,
  ),
  fc
    .nat(3_000)
    .map((promptTokens) => ({ type: 'usage-reported' as const, usage: { promptTokens, completionTokens: 1 } })),
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
        for (const change of changes) state = frozen(reduce(state, frozen(change)));
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
    );
  });

  it('after a reset is that of a new engine on the same model', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
        const before = after(...changes);
        const { resets, ...rest } = reduce(before, { type: 'reset' });
        const { model: known, budget: its, tokens } = before;
        const { contextLength } = tokens;
        const thresholdTokens = contextLength > 0 ? its!.thresholdTokens : 0;
        const latest =
          its && Math.max(its.thresholdTokens, its.latestThresholdTokens ?? Math.floor(its.usableTokens * 0.85));
        const latestThresholdTokens = contextLength > 0 ? latest! : 0;
        const fresh = initialEngineState(initial);
        const { resets: _, ...clean } = {
          ...fresh,
          model: known,
          budget: its,
          tokens: { ...fresh.tokens, thresholdTokens, latestThresholdTokens, contextLength },
        };
        expect(rest).toEqual(clean);
        expect(resets).toBe(before.resets + 1);
      }),
    );
  });

  it('counts strikes and blocks at the second one, until usage below the threshold is reported', () => {
    const blocked = after(toModel(1_000), weak, weak);
    expect(blocked.trigger).toMatchObject({ strikes: 2, blockedAt: 5 });
    const below = { type: 'usage-reported', usage: { promptTokens: 499, completionTokens: 0 } } as const;
    expect(reduce(blocked, below).trigger).toMatchObject({ strikes: 0, blockedAt: null });
    const at = { type: 'usage-reported', usage: { promptTokens: 500, completionTokens: 0 } } as const;
    expect(reduce(blocked, at).trigger.strikes).toBe(2);
    expect(reduce(blocked, { type: 'compression-forced' }).trigger.strikes).toBe(0);
  });

  it('forgets strikes and the last output on another model, and nothing on the same one', () => {
    const state = after(toModel(1_000), weak, applied);
    expect(reduce(state, toModel(1_000))).toBe(state);
    expect(reduce(state, toModel(2_000))).toMatchObject({
      settled: null,
      trigger: { strikes: 0 },
      tokens: { thresholdTokens: 1_000, contextLength: 2_000, compressionCount: 1 },
      budget: { tailTokens: 0, thresholdTokens: 1_000 },
    });
    // The first model after a restore keeps the restored state.
    expect(after(weak, applied, toModel(1_000))).toMatchObject({ settled, trigger: { strikes: 1 } });
  });

  it('moves the threshold up if what stays after a compression leaves no stretch of work', () => {
    const usage = (promptTokens: number): EngineChange<Count> => ({
      type: 'usage-reported',
      usage: { promptTokens, completionTokens: 1 },
    });
    const thresholdAfter = (...changes: readonly EngineChange<Count>[]): number =>
      after(toModel(1_000), ...changes).tokens.thresholdTokens;
    const small: EngineChange<Count> = { ...applied, compactedTokens: 200 };
    const large: EngineChange<Count> = { ...applied, compactedTokens: 800 };
    expect(thresholdAfter(usage(480))).toBe(500);
    expect(thresholdAfter(small)).toBe(500);
    // In a small window, a threshold that moves leaves as much work as one at the end of the window would.
    expect(thresholdAfter(applied)).toBe(825);
    // Never above 85 % of the usable window.
    expect(thresholdAfter(large)).toBe(850);
    // A response shows how the prompt grows, not what a compression left.
    expect(thresholdAfter(applied, usage(450), usage(640))).toBe(825);
    expect(thresholdAfter(large, small)).toBe(500);
    expect(thresholdAfter(applied, { type: 'reset' })).toBe(500);
    expect(thresholdAfter(applied, toModel(2_000, 'n'))).toBe(1_000);
    const capped = {
      ...toModel(1_000),
      budget: { ...budget(1_000), latestThresholdTokens: 600 },
    } as EngineChange<Count>;
    expect(after(capped, applied).tokens.thresholdTokens).toBe(600);
    // A quarter of a small window is too little to pay for a summary.
    const reserved: EngineChange<Count> = {
      type: 'model-changed',
      model: model(60_000),
      budget: { ...budget(60_000), usableTokens: 54_000, thresholdTokens: 48_000 },
    };
    expect(after(reserved, { ...applied, compactedTokens: 20_000 }).tokens.thresholdTokens).toBe(48_000);
    expect(after(reserved, { ...applied, compactedTokens: 26_000 }).tokens.thresholdTokens).toBe(50_000);
    expect(after(reserved, { ...applied, compactedTokens: 40_000 }).tokens.thresholdTokens).toBe(51_000);
  });

  it('keeps the default budget only until a model is known', () => {
    const late: EngineChange<Count> = { type: 'default-budget-set', budget: budget(128_000) };
    expect(after(late).budget?.contextLength).toBe(128_000);
    expect(after(late, toModel(1_000)).budget?.contextLength).toBe(1_000);
    expect(after(toModel(1_000), late).budget?.contextLength).toBe(1_000);
  });

  it('is unproven from a restore to the first applied plan, and takes only known fields of a snapshot', () => {
    const restored = {
      planner: { passes: 4 },
      trigger: initialTrigger,
      tokens: { ...after().tokens, lastPromptTokens: 7, thresholdTokens: 999 },
      settled: null,
      resets: 77,
      budget: null,
    };
    const state = after(toModel(1_000), { type: 'snapshot-restored', restored });
    expect(state).toMatchObject({
      isUnproven: true,
      planner: { passes: 4 },
      resets: 0,
      budget: { contextLength: 1_000 },
      tokens: { lastPromptTokens: 7, thresholdTokens: 500 },
    });
    expect(reduce(state, applied)).toMatchObject({ isUnproven: false, planner: { passes: 1 } });
    expect(reduce(state, { type: 'restored-state-rejected' })).toMatchObject({ isUnproven: false, planner: initial });
  });

  it('waits longer after every failed or cancelled model call, and not at all after a success', () => {
    const cancelledOnce = after({ type: 'model-call-cancelled', failure, at: 0 });
    expect(cancelledOnce.trigger.cooldown?.until).toBe(15_000);
    expect(reduce(cancelledOnce, { type: 'model-call-cancelled', failure, at: 0 }).trigger.cooldown?.until).toBe(
      60_000,
    );
    const success: EngineChange<Count> = { type: 'model-called', failure: null, auxiliaryFailure: failure, at: 1 };
    expect(reduce(cancelledOnce, success).trigger).toMatchObject({
      cooldown: null,
      failures: 0,
      auxiliaryFailure: failure,
    });
  });
});
