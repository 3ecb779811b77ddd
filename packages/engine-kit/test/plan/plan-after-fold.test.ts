import { Draft, Transcript } from '@palimpsest/core/authoring';
import type { Condensed } from '@palimpsest/summary';
import { assistant, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { initialFoldState, planAfterFold, planWithoutFold } from '../../src/index.ts';

const messages = Array.from({ length: 5 }, (_, at) => [user(`Request ${at}`), assistant(`Reply ${at}`)]).flat();
const draft = (): Draft => new Draft(Transcript.of(messages, testHost().tokens));
const failure = { class: 'transient', message: 'busy', cooldownMs: 0 };
const folded = (kind: 'written' | 'fallback'): Condensed => ({
  kind,
  body: 'the summary',
  carriedSummary: 'the page in it',
  reclaimedTokens: 100,
  notes: { reason: 'folded', modelCalls: 1 },
});

describe('planAfterFold', () => {
  it('remembers the summary, and keeps other fields of the state', () => {
    const state = { ...initialFoldState, passes: 7 };
    const plan = planAfterFold({ draft: draft(), range: [1, 5], folded: folded('written'), state });
    expect(plan.state).toEqual({ ...state, previousSummary: 'the summary', carriedSummary: 'the page in it' });
    expect(plan.outcome).toBeUndefined();
    expect(plan.notes).toEqual({ reason: 'folded', modelCalls: 1 });
  });

  it('is degraded and counts the dropped messages if rules wrote the summary', () => {
    const state = { ...initialFoldState, droppedWithoutSummary: 2 };
    const notes = { reason: 'mine' };
    const plan = planAfterFold({ draft: draft(), range: [1, 5], folded: folded('fallback'), state, notes });
    expect(plan.outcome).toBe('degraded');
    expect(plan.state).toEqual({
      previousSummary: 'the summary',
      carriedSummary: 'the page in it',
      droppedWithoutSummary: 6,
      fallbackUsed: true,
    });
    expect(plan.notes).toEqual({ reason: 'mine', modelCalls: 1 });
  });

  it('keeps the state if the fold was aborted, or the handoff would have been larger', () => {
    const state = { ...initialFoldState, previousSummary: 'before' };
    const aborted = planAfterFold({ draft: draft(), range: [1, 5], folded: { kind: 'aborted', notes: {} }, state });
    expect(aborted).toMatchObject({ edits: [], state, outcome: 'aborted' });
    const larger: Condensed = { kind: 'larger', notes: { reason: 'larger' } };
    expect(planAfterFold({ draft: draft(), range: [1, 5], folded: larger, state }).state).toBe(state);
  });
});

describe('planWithoutFold', () => {
  it('is degraded only if a summary failed and the draft has edits', () => {
    const pruned = draft();
    pruned.rewrite(3, { content: '[stub]' }, { code: 'stub' });
    expect(planWithoutFold(pruned, null, { failure }).outcome).toBe('degraded');
    expect(planWithoutFold(pruned, null, { failure: null }).outcome).toBeUndefined();
    expect(planWithoutFold(draft(), null, { failure }).outcome).toBeUndefined();
  });
});
