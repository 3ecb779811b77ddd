import type { Budget } from '@palimpsest/core';
import { Draft, Transcript, writeHandoff } from '@palimpsest/core/authoring';
import {
  arbitraryTranscript,
  assistant,
  call,
  callsWithResults,
  chat,
  system,
  testHost,
  user,
} from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPrunedDraft,
  type PrunedDraftInput,
  promptTokensAfter,
  targetPlan,
  tokensOverTarget,
} from '../../src/index.ts';

const host = testHost();

const budgetOf = (contextLength: number, tailTokens: number): Budget => ({
  contextLength,
  usableTokens: contextLength,
  thresholdTokens: contextLength / 2,
  tailTokens,
  summaryTokens: 2_000,
});

describe('targetPlan', () => {
  const messages = [
    system('s'.repeat(400)),
    ...chat(3),
    user('u'.repeat(800)),
    ...callsWithResults([call('a', 'terminal', {}), 'ok '.repeat(100)]),
  ];
  const transcript = Transcript.of(messages, host.tokens);

  it('limits only the tail without a target', () => {
    const plan = targetPlan(transcript, {}, budgetOf(100_000, 1_234));
    expect(plan).toEqual({ tailTokens: 1_234, maxTailTokens: 1_851, headTokens: Infinity, roomTokens: Infinity });
  });

  it('limits the tail so that a stretch of work fits before the next pass, whatever the tools take', () => {
    const tailWith = (overheadTokens: number): number =>
      targetPlan(transcript, { overheadTokens }, budgetOf(60_000, 10_000)).tailTokens;
    expect(tailWith(0)).toBe(10_000);
    // 85 % of the window, minus a quarter of it, the tools, the summary, and the 350 tokens that must stay.
    expect(tailWith(28_000)).toBeGreaterThan(36_000 - 28_000 - 2_000 - 1_000);
    expect(tailWith(28_000)).toBeLessThan(36_000 - 28_000 - 2_000);
    expect(tailWith(40_000)).toBe(3_600);
    // A tail that is limited for that reason does not exceed its limit for one group.
    const crowded = targetPlan(transcript, { overheadTokens: 40_000 }, budgetOf(60_000, 10_000));
    expect(crowded.maxTailTokens).toBe(3_600);
  });

  it('subtracts what must stay and the frame of a handoff from the target', () => {
    const { pendingCalls, fixedTokens } = transcript;
    const pending = transcript.tokensBetween(pendingCalls!.from, pendingCalls!.to);
    const frameWith = (key?: string): number =>
      host.tokens.countMessage(user(writeHandoff('', transcript.length, key)));
    const frame = frameWith();
    const request = { targetTokens: 4_000, overheadTokens: 100 };
    const { roomTokens, headTokens, tailTokens } = targetPlan(transcript, request, budgetOf(100_000, 0));
    expect(roomTokens).toBe(4_000 - 100 - fixedTokens - pending - frame);
    const signed = targetPlan(transcript, request, budgetOf(100_000, 0), 'key').roomTokens;
    expect(roomTokens - signed).toBe(frameWith('key') - frame);
    expect(frameWith('key')).toBeGreaterThan(frame);
    expect(headTokens).toBe(500);
    expect(tailTokens).toBe(Math.floor(pending + roomTokens * 0.75));
  });

  it('leaves a share of the target that the window can spare if what must stay exceeds the target', () => {
    const targetTokens = transcript.fixedTokens;
    const { roomTokens } = targetPlan(transcript, { targetTokens }, budgetOf(100_000, 0));
    expect(roomTokens).toBe(Math.floor(targetTokens * 0.15));
    const full = { ...budgetOf(100_000, 0), usableTokens: targetTokens };
    expect(targetPlan(transcript, { targetTokens }, full).roomTokens).toBe(0);
  });
});

describe('the size of a draft', () => {
  it('starts from the real size of the prompt if the caller knows it', () => {
    const draft = new Draft(Transcript.of([user('u'.repeat(400)), assistant('a'.repeat(400))], host.tokens));
    const before = draft.tokens;
    draft.rewrite(1, { content: 'a' }, { code: 'stub' });
    const saved = before - draft.tokens;
    expect(saved).toBeGreaterThan(50);
    expect(promptTokensAfter(draft, { overheadTokens: 50 })).toBe(before + 50 - saved);
    expect(promptTokensAfter(draft, { currentTokens: 1_000, overheadTokens: 50 })).toBe(1_000 - saved);
  });

  it('counts the overhead against the target', () => {
    const draft = new Draft(Transcript.of([user('u'.repeat(400))], host.tokens));
    expect(tokensOverTarget(draft, {})).toBe(0);
    expect(tokensOverTarget(draft, { targetTokens: draft.tokens + 10, overheadTokens: 15 })).toBe(5);
    expect(tokensOverTarget(draft, { targetTokens: draft.tokens + 10 })).toBe(0);
  });
});

describe('a draft that misses its target', () => {
  it('plans a handoff no larger than half of the range it replaces', () => {
    let summarizes = 0;
    const given = fc.tuple(arbitraryTranscript({ maxLength: 80 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(given, ([messages, percent]) => {
        const transcript = Transcript.of(messages, host.tokens);
        const input: PrunedDraftInput = {
          transcript,
          asked: { targetTokens: Math.floor((transcript.totalTokens * percent) / 100) },
          host: testHost({ summarizer: null }),
          budget: { contextLength: 0, usableTokens: 0, thresholdTokens: 0, tailTokens: 0, summaryTokens: 0 },
          previousSummary: null,
          handoffAt: -1,
          protectFirst: 2,
          protectLast: 3,
        };
        const { draft, range, targetSummary } = createPrunedDraft(input);
        expect(targetSummary === null).toBe(tokensOverTarget(draft, input.asked) === 0);
        if (!range || !targetSummary) return;
        summarizes++;
        const sourceTokens = transcript.tokensOfGroups(...range);
        expect(targetSummary.handoffTokens(sourceTokens)).toBeLessThanOrEqual(Math.max(1, sourceTokens / 2));
      }),
      { numRuns: 200 },
    );
    expect(summarizes).toBeGreaterThan(30);
  });
});
