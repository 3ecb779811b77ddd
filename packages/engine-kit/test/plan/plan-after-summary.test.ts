import { Draft, digestHandoff, Transcript } from '@palimpsest/core/authoring';
import type { SummarizedMessages } from '@palimpsest/summary';
import { assistant, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { initialSummaryState, planAfterSummary, planWithoutSummary } from '../../src/index.ts';

const messages = Array.from({ length: 5 }, (_, at) => [user(`Request ${at}`), assistant(`Reply ${at}`)]).flat();
const draft = (): Draft => new Draft(Transcript.of(messages, testHost().tokens));
const failure = { class: 'transient', message: 'busy', cooldownMs: 0 };
const summarized = (kind: 'written' | 'fallback'): SummarizedMessages => ({
  kind,
  body: 'the summary',
  carriedSummary: 'the page in it',
  reclaimedTokens: 100,
  notes: { reason: 'summarized', modelCalls: 1 },
});

describe('planAfterSummary', () => {
  it('remembers the summary, and keeps other fields of the state', () => {
    const state = { ...initialSummaryState, passes: 7 };
    const plan = planAfterSummary({ draft: draft(), range: [1, 5], summarized: summarized('written'), state });
    expect(plan.state).toEqual({
      ...state,
      handoffDigest: digestHandoff('the summary'),
      carriedSummary: 'the page in it',
    });
    expect(plan.outcome).toBeUndefined();
    expect(plan.notes).toEqual({ reason: 'summarized', modelCalls: 1 });
  });

  it('is degraded and counts the dropped messages if rules wrote the summary', () => {
    const state = { ...initialSummaryState, droppedWithoutSummary: 2 };
    const notes = { reason: 'mine' };
    const plan = planAfterSummary({ draft: draft(), range: [1, 5], summarized: summarized('fallback'), state, notes });
    expect(plan.outcome).toBe('degraded');
    expect(plan.state).toEqual({
      handoffDigest: digestHandoff('the summary'),
      carriedSummary: 'the page in it',
      droppedWithoutSummary: 6,
      fallbackUsed: true,
    });
    expect(plan.notes).toEqual({ reason: 'mine', modelCalls: 1 });
  });

  it('keeps the state if the summary was aborted, or the handoff would have been larger', () => {
    const state = { ...initialSummaryState, handoffDigest: digestHandoff('before') };
    const aborted = planAfterSummary({
      draft: draft(),
      range: [1, 5],
      summarized: { kind: 'aborted', notes: {} },
      state,
    });
    expect(aborted).toMatchObject({ edits: [], state, outcome: 'aborted' });
    const larger: SummarizedMessages = { kind: 'larger', notes: { reason: 'larger' } };
    expect(planAfterSummary({ draft: draft(), range: [1, 5], summarized: larger, state }).state).toBe(state);
  });
});

describe('planWithoutSummary', () => {
  it('is degraded only if a summary failed and the draft has edits', () => {
    const pruned = draft();
    pruned.rewrite(3, { content: '[stub]' }, { code: 'stub' });
    expect(planWithoutSummary(pruned, null, { failure }).outcome).toBe('degraded');
    expect(planWithoutSummary(pruned, null, { failure: null }).outcome).toBeUndefined();
    expect(planWithoutSummary(draft(), null, { failure }).outcome).toBeUndefined();
  });
});
