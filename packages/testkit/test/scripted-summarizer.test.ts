import type { SummarizeRequest } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { createScriptedSummarizer, manualClock, settle, summarizerFailures, writeShortSummary } from '../src/index.ts';

const request: SummarizeRequest = {
  prompt: 'Summarize.',
  budgetTokens: 100,
  material: {
    messages: [],
    previousSummary: null,
    focusTopic: null,
    template: {
      name: 'two',
      sections: [
        { heading: 'Goal', ask: 'What for?' },
        { heading: 'Blocked', ask: 'By what?' },
      ],
    },
  },
};

const error = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (reason: unknown) => reason,
  );

describe('a scripted summarizer', () => {
  it('plays its script, records its calls, and rejects calls after the last reply', async () => {
    const summarizer = createScriptedSummarizer([
      'one',
      { text: 'two', finishReason: 'length' },
      (_, call) => `call ${call}`,
    ]);
    expect(await summarizer.summarize(request)).toEqual({ text: 'one' });
    expect(await summarizer.summarize(request)).toEqual({ text: 'two', finishReason: 'length' });
    expect(await summarizer.summarize(request)).toEqual({ text: 'call 2' });
    expect(summarizer.overrun).toBe(0);
    expect(String(await error(summarizer.summarize(request)))).toContain('has 3 replies; it was called 4 times');
    expect(summarizer.overrun).toBe(1);
    expect(summarizer.calls).toEqual([request, request, request, request]);
  });

  it('uses a single reply for every call', async () => {
    const summarizer = createScriptedSummarizer('always');
    for (let call = 0; call < 5; call++) expect(await summarizer.summarize(request)).toEqual({ text: 'always' });
    expect(summarizer.overrun).toBe(0);
  });

  it('writes a short page for any template', () => {
    expect(writeShortSummary(request)).toBe('## Goal\nNoted from 0 messages.');
  });

  it('rejects with the status and code of a provider, or the code of a connection, also under fetch', async () => {
    const of = (reply: Parameters<typeof createScriptedSummarizer>[0]): Promise<unknown> =>
      error(createScriptedSummarizer(reply).summarize(request));
    expect(await of({ failure: 'status', status: 429, code: 'insufficient_quota' })).toMatchObject({
      status: 429,
      code: 'insufficient_quota',
    });
    expect(await of({ failure: 'network', code: 'ECONNREFUSED' })).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await of({ failure: 'network', code: 'ECONNRESET', wrapped: true })).toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ECONNRESET' },
    });
    expect(await of({ failure: 'abort' })).toMatchObject({ name: 'AbortError' });
    expect(await of({ failure: 'throws', value: 'text' })).toBe('text');
  });

  it('stalls until the signal aborts', async () => {
    const abort = new AbortController();
    const stalled = createScriptedSummarizer({ failure: 'stall' }).summarize({ ...request, signal: abort.signal });
    expect((await settle(stalled, manualClock())).kind).toBe('hanging');
    abort.abort();
    expect((await settle(stalled, manualClock())).kind).toBe('rejected');
  });

  it('can give every kind of bad answer', async () => {
    const answer = async (reply: Parameters<typeof createScriptedSummarizer>[0]) =>
      createScriptedSummarizer(reply).summarize(request);
    expect((await answer({ failure: 'html' })).text).toContain('<html>');
    expect((await answer({ failure: 'empty' })).text.trim()).toBe('');
    expect(await answer({ failure: 'refusal' })).toMatchObject({ finishReason: 'refusal' });
    expect(await answer({ failure: 'cut-off' })).toMatchObject({ finishReason: 'length' });
    expect((await answer({ failure: 'too-long', characters: 5_000 })).text.length).toBeGreaterThan(5_000);
    expect((await answer({ failure: 'no-headings' })).text).not.toContain('#');
  });

  it('has failure rows with unique names for every class except cancelled', () => {
    const classes = new Set(summarizerFailures.map((row) => row.class));
    expect([...classes].sort()).toEqual([
      'access',
      'bad-output',
      'missing-model',
      'network',
      'overflow',
      'transient',
      'unknown',
    ]);
    expect(new Set(summarizerFailures.map(({ name }) => name)).size).toBe(summarizerFailures.length);
  });
});

describe('a manual clock', () => {
  it('moves only when advanced, and runs due callbacks in order, each at its scheduled time', () => {
    const clock = manualClock(1_000);
    const ran: [string, number][] = [];
    clock.schedule(() => ran.push(['late', clock.now()]), 50);
    clock.schedule(() => {
      ran.push(['early', clock.now()]);
      clock.schedule(() => ran.push(['nested', clock.now()]), 5);
    }, 10);
    const cancel = clock.schedule(() => ran.push(['never', clock.now()]), 20);
    cancel();
    expect([clock.now(), clock.pending]).toEqual([1_000, 2]);
    clock.advance(49);
    expect(ran).toEqual([
      ['early', 1_010],
      ['nested', 1_015],
    ]);
    clock.advance(1);
    expect(ran.at(-1)).toEqual(['late', 1_050]);
    expect([clock.now(), clock.pending]).toEqual([1_050, 0]);
  });

  it('is advanced by settle while a promise sleeps on it', async () => {
    const clock = manualClock();
    const slept = new Promise<string>((resolve) => void clock.schedule(() => resolve('done'), 120_000));
    expect(await settle(slept, clock)).toEqual({ kind: 'fulfilled', value: 'done' });
  });
});
