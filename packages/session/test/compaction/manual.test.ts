import { createEngine, writeHandoff } from '@palimpsest/core/authoring';
import { createScriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { filler, makeSession, turns } from '../make-session.ts';

const planned = {
  contextLength: 100_000,
  usableTokens: 90_000,
  thresholdTokens: 50_000,
  tailTokens: 5_000,
  summaryTokens: 5_000,
};

describe('session.compact', () => {
  it('reports what it did', async () => {
    const { session } = makeSession({ window: 100_000 });
    const messages = turns(40);
    await session.beforeRequest(messages);
    const feedback = await session.compact();
    const after = await session.beforeRequest(messages);
    expect(feedback).toMatchObject({ noop: false, outcome: 'compacted', preview: false });
    expect(feedback.headline).toBe(`Compacted: 160 -> ${after.messages.length} messages`);
    expect(feedback.tokenLine).toMatch(/^Prompt size: ~[\d,]+ tokens \(estimated\) -> ~[\d,]+ tokens \(estimated\)$/);
    expect(session.records()[0]).toMatchObject({ trigger: 'manual', messagesBefore: 160 });
  });

  it.each([
    [{ keepLastTurns: -1 }, /keepLastTurns: expected a whole number of 0 or more/],
    [{ focusTopic: null }, /focusTopic: expected a string; given: nothing/],
    [{ previw: true }, /previw: unknown option. Did you mean "preview"/],
  ])('rejects invalid options and changes nothing: %j', async (options, message) => {
    const { session, events } = makeSession({ window: 100_000 });
    await session.beforeRequest(turns(40));
    await expect(session.compact(options as never)).rejects.toThrow(message);
    expect(session.records()).toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain('compaction-failed');
  });

  it('labels only estimates as estimates', async () => {
    const { session } = makeSession({ window: 100_000 });
    const sent = await session.beforeRequest(turns(40));
    session.afterResponse({ prompt_tokens: 12_345 }, sent);
    expect((await session.compact()).tokenLine).toMatch(/^Prompt size: 12,345 tokens -> ~[\d,]+ tokens \(estimated\)$/);
  });

  it('reports that there was nothing to do', async () => {
    const { session } = makeSession();
    await session.beforeRequest([user('Hello.')]);
    expect(await session.compact()).toMatchObject({
      noop: true,
      headline: 'No changes from compaction: 1 message',
      tokenLine: expect.stringContaining('(unchanged)'),
    });
    expect(session.records()).toEqual([]);
  });

  it('reports that it was aborted, or done without a summary', async () => {
    const failing = createScriptedSummarizer({ failure: 'status', status: 400 });
    const aborting = makeSession({
      summarizer: failing,
      window: 100_000,
      engineOptions: { abortOnSummaryFailure: true },
    });
    expect(await aborting.session.compact({ messages: turns(40) })).toMatchObject({
      noop: true,
      outcome: 'aborted',
      headline: 'Compaction aborted: 160 messages unchanged',
      note: expect.any(String),
    });
    const degraded = makeSession({ summarizer: failing, window: 100_000 });
    const feedback = await degraded.session.compact({ messages: turns(40) });
    expect(feedback).toMatchObject({ noop: false, outcome: 'degraded' });
    expect(feedback.headline).toMatch(/^Compacted without a summary: 160 -> /);
    expect(feedback.note).not.toBe(null);
  });

  it('reports that the engine failed, and does not change the conversation', async () => {
    const { session, events } = makeSession({
      engine: (host) =>
        createEngine(
          {
            initial: {},
            budget: () => planned,
            plan: () => Promise.reject(new Error('a secret of the conversation')),
          },
          host,
          { name: 'broken', stateVersion: 1 },
        ),
    });
    expect(await session.compact({ messages: turns(10) })).toMatchObject({ noop: true, outcome: 'failed' });
    expect(events.find(({ type }) => type === 'compaction-failed')).toBeDefined();
    expect(JSON.stringify(events)).not.toContain('a secret of the conversation');
  });

  it('previews what it would do, and then does exactly that', async () => {
    const { session, summarizer } = makeSession({ window: 100_000 });
    const messages = turns(40);
    await session.beforeRequest(messages);
    const preview = await session.compact({ preview: true });
    expect(preview.headline).toMatch(/^Would compact: 160 -> \d+ messages$/);
    expect((await session.beforeRequest(messages)).messages).toEqual(messages);
    expect(session.records()).toEqual([]);
    const done = await session.compact();
    expect(done.headline).toBe(preview.headline.replace('Would compact', 'Compacted'));
    expect(summarizer.calls.length).toBe(1);
    // Other options or another conversation need another plan.
    const other = makeSession({ window: 100_000 });
    await other.session.compact({ messages, preview: true });
    await other.session.compact({ messages, focusTopic: 'file 7' });
    expect(other.summarizer.calls.length).toBe(2);
  });

  it('leaves the engine after a preview as a compaction without one does', async () => {
    const messages = turns(40);
    const [direct, previewed] = await Promise.all(
      [0, 2].map(async (previews) => {
        const { session } = makeSession({ window: 100_000, key: 'the same for both' });
        await session.beforeRequest(messages);
        const before = (await session.engine()).snapshot();
        for (let count = 0; count < previews; count++) await session.compact({ preview: true });
        expect((await session.engine()).snapshot()).toEqual(before);
        await session.compact();
        return (await session.engine()).snapshot();
      }),
    );
    expect(previewed).toEqual(direct);
  });

  it('plans anew when the session was reset since the preview', async () => {
    const { session, summarizer } = makeSession({ window: 100_000 });
    await session.compact({ messages: turns(40), preview: true });
    await session.reset();
    await session.compact({ messages: turns(40) });
    expect(summarizer.calls.length).toBe(2);
    expect((await session.engine()).state.compactionCount).toBe(1);
  });

  it('plans anew when the window has changed since the preview', async () => {
    const { session, summarizer } = makeSession({ window: 100_000 });
    await session.beforeRequest(turns(40));
    await session.compact({ preview: true });
    session.updateModel({ id: 'test-model', contextLength: 20_000 });
    await session.compact();
    expect(summarizer.calls.length).toBe(2);
  });

  it('keeps the requested newest turns and the topic', async () => {
    const { session, summarizer } = makeSession({ window: 100_000 });
    const messages = turns(40);
    await session.compact({ messages, keepLastTurns: 7, focusTopic: 'the parser' });
    const { messages: sent } = await session.beforeRequest(messages);
    expect(sent.slice(-27)).toEqual(messages.slice(-27));
    // The first of them begins with the handoff.
    expect(String(sent.at(-28)!.content)).toContain(String(messages.at(-28)!.content));
    expect(summarizer.calls[0]!.material.focusTopic).toBe('the parser');
  });

  it('notes when fewer messages cost more tokens', async () => {
    // A third-party engine that counts a message as one token, and replaces little with much.
    const counter = { countText: () => 1, countMessage: () => 1 };
    const { session } = makeSession({
      window: 100_000,
      engine: (host) =>
        createEngine(
          {
            initial: {},
            budget: () => planned,
            plan: async () => ({
              edits: [
                {
                  kind: 'replace',
                  groups: [0, 8],
                  with: [{ handoff: writeHandoff(filler(9_000, 'long')), carry: [] }],
                  reasons: [{ code: 'summarize' }],
                },
              ],
              state: {},
            }),
          },
          { ...host, tokens: counter },
          { name: 'wordy', stateVersion: 1 },
        ),
    });
    const feedback = await session.compact({ messages: turns(8) });
    expect(feedback).toMatchObject({ noop: false, note: expect.stringContaining('Fewer messages, but more tokens') });
  });

  it('is cancelled by its signal', async () => {
    const { session } = makeSession();
    await expect(session.compact({ messages: turns(30), signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
