import { apply, type Message, type Origin } from '@palimpsest/core';
import { Draft, digestHandoff, type PlanSource, placeHandoff, Transcript } from '@palimpsest/core/authoring';
import { createScriptedSummarizer, testHost, user, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { planScope } from '../../src/index.ts';

const host = { ...testHost(), summarizer: undefined };
const modelHost = testHost({ summarizer: createScriptedSummarizer(writeShortSummary) });
const history: Message[] = Array.from({ length: 12 }, (_, at) =>
  at % 2 === 0 ? user(`Question ${at}`) : { role: 'assistant', content: `Answer ${at}` },
);

/** The history with its first `to` messages summarized, and the planner's input for it. */
function summarized(to: number, body = 'The summary.') {
  const transcript = Transcript.of(history, host.tokens, host);
  const draft = new Draft(transcript);
  placeHandoff(draft, [0, to], body, { reason: { code: 'summarize' } });
  // Placed by hand, because even a short handoff is larger than the messages it replaces here.
  const edits = draft.isEmpty ? handmade(to, body) : draft.edits();
  const { messages, provenance } = apply(history, edits);
  const projection = Transcript.of(messages as readonly Message[], host.tokens, host);
  const source: PlanSource = { transcript, origins: provenance.output };
  return {
    transcript: projection,
    source,
    asked: {},
    state: { handoffDigest: digestHandoff(body), carriedSummary: body },
  };
}

function handmade(to: number, body: string) {
  const long = Transcript.of(
    history.map((message) => ({ ...message, content: `${message.content} ${'long '.repeat(500)}` })),
    host.tokens,
    host,
  );
  const draft = new Draft(long);
  placeHandoff(draft, [0, to], body, { reason: { code: 'summarize' } });
  return draft.edits();
}

describe('the scope of a plan', () => {
  it('is the transcript without a source, or with one that was not compacted', () => {
    const { source } = summarized(4);
    const transcript = source.transcript;
    const origins = history.map((_, from): Origin => ({ kind: 'original', from }));
    const state = { handoffDigest: null, carriedSummary: null };
    for (const given of [undefined, { transcript, origins }])
      expect(planScope({ transcript, source: given, asked: {}, state }, host)).toMatchObject({
        basis: 'transcript',
        transcript,
        handoffAt: -1,
        summarizedTo: 0,
      });
  });

  it('is the source otherwise, with what was summarized and what is fresh', () => {
    const given = summarized(5);
    const scope = planScope(given, modelHost);
    expect(scope).toMatchObject({ basis: 'source', handoffAt: -1, summarizedTo: 5, previousSummary: 'The summary.' });
    expect(scope.transcript).toBe(given.source.transcript);
    expect(scope.currentTokens).toBe(given.transcript.totalTokens);
    expect(history.map((_, at) => scope.isFresh(at))).toEqual(history.map((_, at) => at >= 5));
  });

  it('counts user messages that the handoff carries as fresh', () => {
    const scope = planScope(summarized(4), modelHost);
    expect(scope.summarizedTo).toBe(5);
    expect([3, 4, 5].map((at) => scope.isFresh(at))).toEqual([false, true, true]);
  });

  it('lets rules choose the tail anew to meet a target, but not a model', () => {
    const given = { ...summarized(5), asked: { targetTokens: 1_000 } };
    expect(planScope(given, host).summarizedTo).toBe(0);
    expect(planScope(given, modelHost).summarizedTo).toBe(5);
  });

  it('carries what a model wrote, also in the summary of another engine', () => {
    const given = summarized(5);
    const carried = (state: Record<keyof typeof given.state, string | null>): string | null =>
      planScope({ ...given, state }, host).carriedSummary;
    expect(carried({ handoffDigest: digestHandoff('The summary.'), carriedSummary: null })).toBeNull();
    expect(carried({ handoffDigest: digestHandoff('The summary.'), carriedSummary: 'An older one.' })).toBe(
      'An older one.',
    );
    expect(carried({ handoffDigest: digestHandoff('Of another session.'), carriedSummary: null })).toBe('The summary.');
    expect(carried({ handoffDigest: null, carriedSummary: null })).toBe('The summary.');
  });

  it('finds its own summary also before a newer one of another system, so that rules do not list its content twice', () => {
    const given = summarized(5);
    const foreign = user(
      'This session is being continued from a previous conversation. The summary is below:\nParsers.',
    );
    const { source } = given;
    const scope = planScope(
      {
        ...given,
        transcript: Transcript.of([...given.transcript.messages, foreign], host.tokens, host),
        source: {
          transcript: Transcript.of([...source.transcript.messages, foreign], host.tokens, host),
          origins: [...source.origins, { kind: 'original', from: source.transcript.length }],
        },
        state: { handoffDigest: digestHandoff('The summary.'), carriedSummary: null },
      },
      host,
    );
    expect(scope).toMatchObject({ previousSummary: 'The summary.', carriedSummary: null });
  });

  it('covers nothing without a trusted summary', () => {
    const signed = { ...host, handoffKey: 'a key that signed something else' };
    const scope = planScope(summarized(5), signed);
    expect(scope).toMatchObject({ basis: 'source', previousSummary: null, summarizedTo: 0 });
    expect(scope.isFresh(0)).toBe(true);
  });
});
