import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearStrikes,
  decide,
  initialTrigger,
  type PromptSize,
  recordFailure,
  recordPass,
  type TriggerState,
  triggerDefaults,
} from '../src/engine/trigger.ts';
import type { FailureReport } from '../src/index.ts';

/** A clock that moves only when `advance` is called. */
function movedClock() {
  let now = 1_000_000;
  return {
    now: () => now,
    advance(milliseconds: number): void {
      now += milliseconds;
    },
  };
}

const over: PromptSize = { promptTokens: 90_000, thresholdTokens: 75_000, contextLength: 100_000 };
const under: PromptSize = { ...over, promptTokens: 74_999 };
const failure = (cooldownMs: FailureReport['cooldownMs']): FailureReport => ({
  class: 'transient',
  message: '503',
  cooldownMs,
});
const weak = { saving: 0.05, dense: false };
const blockedAt = (now: number, dense = false): TriggerState =>
  recordPass(recordPass(initialTrigger, weak, now), { saving: 0, dense }, now);

describe('the trigger', () => {
  it('does not compact without a window or below the threshold, and compacts from the threshold on', () => {
    expect(decide({ ...over, thresholdTokens: 0 }, initialTrigger, 0)).toMatchObject({
      compact: false,
      reason: 'no-window',
    });
    expect(decide(under, initialTrigger, 0)).toMatchObject({
      compact: false,
      effort: 'none',
      reason: 'below-threshold',
    });
    expect(decide({ ...over, promptTokens: 75_000 }, initialTrigger, 0)).toMatchObject({
      compact: true,
      effort: 'full',
      reason: 'over-threshold',
    });
  });

  it('blocks after two weak passes in a row, allows one probe after five minutes, and blocks again when that is weak', () => {
    const clock = movedClock();
    let state = recordPass(initialTrigger, weak, clock.now());
    expect(decide(over, state, clock.now()).compact).toBe(true);
    state = recordPass(state, weak, clock.now());
    expect(decide(over, state, clock.now())).toMatchObject({
      compact: false,
      reason: 'blocked-ineffective',
      retryAt: clock.now() + 300_000,
    });
    clock.advance(299_999);
    expect(decide(over, state, clock.now()).compact).toBe(false);
    clock.advance(1);
    expect(decide(over, state, clock.now())).toMatchObject({ compact: true, reason: 'probe' });
    state = recordPass(state, weak, clock.now());
    expect(decide(over, state, clock.now())).toMatchObject({ compact: false, retryAt: clock.now() + 300_000 });
    clock.advance(300_000);
    state = recordPass(state, { saving: 0.4, dense: false }, clock.now());
    expect(decide(over, state, clock.now())).toMatchObject({ compact: true, reason: 'over-threshold' });
    expect(state).toMatchObject({ strikes: 0, blockedAt: null });
  });

  it('distinguishes a dense session from summaries that are too long', () => {
    expect(decide(over, blockedAt(0, true), 1)).toMatchObject({
      reason: 'blocked-dense',
      message: expect.stringMatching(/fresh|focus topic/),
    });
    expect(decide(over, blockedAt(0, false), 1)).toMatchObject({
      reason: 'blocked-ineffective',
      message: expect.stringContaining('too long'),
    });
  });

  it('resets the strikes after a good pass', () => {
    const good = recordPass(
      recordPass(initialTrigger, weak, 0),
      { saving: triggerDefaults.minimumSaving, dense: false },
      0,
    );
    expect(decide(over, recordPass(good, weak, 0), 0).compact).toBe(true);
  });

  it('allows only free effort during a cooldown, and reports when it ends', () => {
    const state = recordFailure(initialTrigger, failure(60_000), 1_000);
    expect(decide(over, state, 60_999)).toMatchObject({
      compact: false,
      effort: 'free',
      reason: 'cooldown',
      retryAt: 61_000,
    });
    expect(decide(over, state, 61_000)).toMatchObject({ compact: true, reason: 'over-threshold' });
    expect(decide(under, state, 1_000).reason).toBe('below-threshold');
  });

  it('waits longer after each failure in a row, up to the last stated wait, and starts over after a success', () => {
    const ladder = failure([60_000, 300_000, 900_000]);
    let state = initialTrigger;
    for (const wait of [60_000, 300_000, 900_000, 900_000]) {
      state = recordFailure(state, ladder, 0);
      expect(state.cooldown?.until).toBe(wait);
    }
    state = recordFailure(state, null, 0);
    expect(state.cooldown).toBeNull();
    expect(recordFailure(state, ladder, 0).cooldown?.until).toBe(60_000);
  });

  it('can be cleared of strikes and block, but not of a cooldown', () => {
    const state = recordFailure(blockedAt(0), failure(60_000), 0);
    expect(clearStrikes(state)).toMatchObject({ strikes: 0, blockedAt: null, cooldown: state.cooldown });
    expect(clearStrikes(initialTrigger)).toBe(initialTrigger);
  });

  it('is a pure function of JSON: the same answer after a round trip of the state, whatever happened before', () => {
    const happenings = fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant('pass' as const),
          saving: fc.double({ min: -1, max: 1, noNaN: true }),
          dense: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('failure' as const),
          cooldownMs: fc.oneof(fc.nat(900_000), fc.array(fc.nat(900_000), { maxLength: 3 })),
        }),
        fc.record({ kind: fc.constant('success' as const) }),
        fc.record({ kind: fc.constant('clear' as const) }),
        fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(600_000) }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(happenings, fc.nat(200_000), (list, promptTokens) => {
        const clock = movedClock();
        let state = initialTrigger;
        for (const one of list) {
          if (one.kind === 'wait') clock.advance(one.ms);
          else if (one.kind === 'pass') state = recordPass(state, one, clock.now());
          else if (one.kind === 'clear') state = clearStrikes(state);
          else state = recordFailure(state, one.kind === 'failure' ? failure(one.cooldownMs) : null, clock.now());
        }
        const size = { ...over, promptTokens };
        const decision = decide(size, state, clock.now());
        expect(decide(size, JSON.parse(JSON.stringify(state)), clock.now())).toEqual(decision);
        expect(decision.message).not.toBe('');
        expect(decision.compact).toBe(decision.effort === 'full');
        if (promptTokens < over.thresholdTokens) expect(decision.compact).toBe(false);
        // A block or a cooldown ends: at the stated time, the answer is yes, or a wait of the other kind.
        if (decision.retryAt !== null) {
          expect(decision.retryAt).toBeGreaterThan(clock.now());
          const later = decide(size, state, decision.retryAt);
          expect(later.compact || (later.retryAt ?? 0) > decision.retryAt).toBe(true);
        }
      }),
      { numRuns: process.env.PALIMPSEST_DEEP ? 60_000 : 180 },
    );
  });
});
