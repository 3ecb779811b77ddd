import { type Message, PalimpsestError } from '@palimpsest/core';
import { assistant, image, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { filler, makeSession, turn, turns } from '../make-session.ts';

/** An error as SDKs throw it. */
function refusal(status: number, message: string, code?: string): Error {
  return Object.assign(new Error(message), { status, code });
}

const tooLong = refusal(400, "This model's maximum context length is 6,000 tokens.", 'context_length_exceeded');

/** A call that is refused the given number of times. Records its arguments. */
function provider(refusals: readonly Error[], usage: unknown = { prompt_tokens: 900, completion_tokens: 7 }) {
  const calls: { readonly messages: readonly Message[]; readonly maxTokens: number | undefined }[] = [];
  return {
    calls,
    call: async (messages: readonly object[], { maxTokens }: { readonly maxTokens: number | undefined }) => {
      calls.push({ messages: messages as readonly Message[], maxTokens });
      const refused = refusals[calls.length - 1];
      if (refused) throw refused;
      return { text: 'An answer.', usage };
    },
  };
}

describe('session.run', () => {
  it('returns the answer and learns from it', async () => {
    const { session } = makeSession();
    const { call, calls } = provider([]);
    expect(await session.run(turns(2), call)).toMatchObject({ text: 'An answer.' });
    expect(calls.length).toBe(1);
    expect((await session.engine()).state.lastPromptTokens).toBe(900);
  });

  it('compacts and repeats after an overflow, and adopts a stated limit', async () => {
    const stated = makeSession({ window: 64_000 });
    const first = provider([tooLong]);
    await stated.session.run(turns(30), first.call);
    expect(first.calls.map(({ messages }) => messages.length)).toEqual([120, expect.any(Number)]);
    expect(first.calls[1]!.messages.length).toBeLessThan(60);
    expect(stated.session.status().contextLength).toBe(6_000);

    const silent = makeSession({ window: 64_000 });
    const second = provider([refusal(400, 'prompt is too long')]);
    await silent.session.run(turns(30), second.call);
    expect(second.calls[1]!.messages.length).toBeLessThan(second.calls[0]!.messages.length);
    // Without a stated limit, the window is somewhere between the answered and the refused prompt.
    expect(silent.session.status().contextLength).toBeLessThan(9_000);
  });

  it('handles three refusals of one user turn, whatever is answered in between', async () => {
    const { session } = makeSession({ window: 64_000 });
    const messages = turns(12);
    const outcomes: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      const { call } = provider([refusal(400, 'prompt is too long')]);
      outcomes.push(
        await session.run(messages, call).then(
          () => 'answered',
          (error: unknown) => PalimpsestError.is(error) && error.code,
        ),
      );
      messages.push(...turn(12 + round, 1_000).slice(1));
    }
    expect(outcomes).toEqual(['answered', 'answered', 'answered', 'COMPACTION_EXHAUSTED', 'COMPACTION_EXHAUSTED']);
    const next = provider([refusal(400, 'prompt is too long')]);
    await session.run([...messages, user('Something else.')], next.call);
    expect(next.calls.length).toBe(2);
  });

  it.each<readonly [string, (before: readonly Message[], at: number) => readonly Message[]]>([
    ['in a conversation that goes on', (before, at) => [...before, assistant(filler(1_000, at)), user('Continue.')]],
    ['in new conversations', () => [...turns(12), user('Continue.')]],
  ])('handles the refusals of each turn, although all have the same words: %s', async (_, next) => {
    const { session } = makeSession({ window: 64_000 });
    let messages = next(turns(12), 0);
    for (let at = 1; at <= 5; at++) {
      const { call, calls } = provider([refusal(400, 'prompt is too long')]);
      await session.run(messages, call);
      expect(calls.length).toBe(2);
      messages = next(messages, at);
    }
  });

  it('asks for less each time, shares three attempts with the preflight, and then reports what was tried', async () => {
    const { session, events } = makeSession();
    const { call, calls } = provider(
      Array.from({ length: 9 }, () => refusal(413, 'too long: context length exceeded')),
    );
    const thrown: unknown = await session.run(turns(40), call).catch((error: unknown) => error);
    expect(PalimpsestError.is(thrown) && thrown.code).toBe('COMPACTION_EXHAUSTED');
    expect((thrown as Error).cause).toMatchObject({ status: 413 });
    // One compaction before the first call, two after refusals.
    expect(calls.length).toBeLessThanOrEqual(3);
    const sizes = calls.map(({ messages }) => JSON.stringify(messages).length);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(events.filter(({ type }) => type === 'compaction-exhausted').length).toBe(1);
    // A new request of the user has its own attempts.
    const next = provider([tooLong]);
    await session.run([...turns(60), user('Something else.')], next.call);
    expect(next.calls.length).toBe(2);
  });

  it.each([
    ['rate limit', refusal(429, 'Rate limit reached for tokens per minute', 'rate_limit_exceeded')],
    ['access', refusal(401, 'Incorrect API key provided', 'invalid_api_key')],
    ['server', refusal(503, 'The engine is overloaded')],
    ['network', new TypeError('fetch failed')],
    ['a bad request', refusal(400, 'Invalid value for temperature')],
  ])('leaves %s to the caller', async (_, error) => {
    const { session, summarizer } = makeSession();
    const { call, calls } = provider([error]);
    await expect(session.run(turns(3), call)).rejects.toBe(error);
    expect(calls.length).toBe(1);
    expect(summarizer.calls).toEqual([]);
  });

  it('lowers the output cap without compacting, also for later requests', async () => {
    const { session } = makeSession({ window: 20_000 });
    const { call, calls } = provider([
      refusal(400, 'max_tokens is too large: 9000. This model supports at most 4096 completion tokens'),
    ]);
    await session.run(turns(2), call, { maxTokens: 9_000 });
    await session.run(turns(2), call, { maxTokens: 9_000 });
    expect(calls.map(({ maxTokens }) => maxTokens)).toEqual([9_000, 4_096, 4_096]);
    expect(session.records()).toEqual([]);
  });

  it('leaves room for the answer when prompt and answer together are too much', async () => {
    const { session, events } = makeSession({ window: 0 });
    const { call, calls } = provider([
      refusal(
        400,
        "This model's maximum context length is 20000 tokens. However, you requested 20192 tokens (6192 in the messages, 14000 in the completion).",
      ),
    ]);
    await session.run(turns(20), call, { maxTokens: 14_000 });
    expect(calls[1]!.maxTokens).toBe(20_000 - 6_192 - 64);
    expect(session.records()).toEqual([]);
    expect(session.status().contextLength).toBe(20_000);
    expect(events.find(({ type }) => type === 'output-lowered')).toMatchObject({ maxTokens: 20_000 - 6_192 - 64 });
  });

  it('restores the output cap when a compaction has made room', async () => {
    const combined = refusal(
      400,
      "This model's maximum context length is 8192 tokens. However, you requested 10192 tokens (6192 in the messages, 4000 in the completion).",
    );
    // Before the repeated call, because the learned window is also too small for the prompt.
    const before = makeSession({ window: 0 });
    const first = provider([combined]);
    await before.session.run(turns(20), first.call, { maxTokens: 4_000 });
    expect(before.session.records().length).toBe(1);
    expect(first.calls[1]!.maxTokens).toBe(4_000);
    // After a second refusal.
    const after = makeSession({ window: 20_000 });
    const overflow = refusal(400, 'prompt is too long');
    // The provider counts more tokens than the session.
    const lowered = refusal(
      400,
      "This model's maximum context length is 20000 tokens. However, you requested 20192 tokens (8192 in the messages, 12000 in the completion).",
    );
    const second = provider([lowered, overflow]);
    await after.session.run(turns(20), second.call, { maxTokens: 12_000 });
    expect(second.calls.map(({ maxTokens }) => maxTokens)).toEqual([12_000, 20_000 - 8_192 - 64, 12_000]);
    // Another request keeps its own, although the one that was lowered was never answered.
    const given = makeSession({ window: 20_000 });
    const gaveUp = provider([lowered, refusal(401, 'The key is not valid.')]);
    await expect(given.session.run(turns(20), gaveUp.call, { maxTokens: 12_000 })).rejects.toThrow();
    const short = provider([overflow]);
    await given.session.run(turns(20), short.call, { maxTokens: 300 });
    expect(short.calls.map(({ maxTokens }) => maxTokens)).toEqual([300, 300]);
    // The maximum of the model stays.
    const capped = makeSession({ window: 20_000 });
    const third = provider([
      refusal(400, 'max_tokens is too large: 9000. This model supports at most 4096 completion tokens'),
      overflow,
    ]);
    await capped.session.run(turns(20), third.call, { maxTokens: 9_000 });
    expect(third.calls.map(({ maxTokens }) => maxTokens)).toEqual([9_000, 4_096, 4_096]);
  });
});

describe('a request with pictures', () => {
  const picture = (name: string): Message =>
    user([{ type: 'text', text: `Look at ${name}.` }, image(`${name}${'A'.repeat(4_000)}`)] as never);

  it('loses older pictures first when it has too many bytes, and keeps them removed', async () => {
    const { session, events, summarizer } = makeSession({ window: 100_000 });
    const messages = [picture('one'), ...turn(1).slice(1), picture('two')];
    const { call, calls } = provider([refusal(413, 'Request Entity Too Large')]);
    await session.run(messages, call);
    const sent = calls.map((made) => JSON.stringify(made.messages));
    expect(sent[0]).toContain('oneAAAA');
    expect(sent[1]).not.toContain('oneAAAA');
    expect(sent[1]).toContain('twoAAAA');
    expect(events.find(({ type }) => type === 'media-removed')).toMatchObject({ parts: 1, shrunk: 0 });
    expect(summarizer.calls).toEqual([]);
    await session.run(messages, call);
    expect(JSON.stringify(calls[2]!.messages)).toBe(sent[1]);
    expect(await session.undo()).toBe(1);
  });

  it('lets the host shrink a picture that is too large', async () => {
    const limits: unknown[] = [];
    const { session, events } = makeSession({
      window: 100_000,
      hooks: {
        shrinkImage: (_, given) => {
          limits.push(given);
          return image('small') as never;
        },
      },
    });
    const { call, calls } = provider([
      refusal(
        400,
        'messages.0.content.1.image.source.base64: image exceeds 2000 bytes maximum: 3003 bytes > 2000 bytes',
      ),
    ]);
    await session.run([picture('one')], call);
    expect(limits).toEqual([{ bytes: 2_000, pixels: null }]);
    expect(JSON.stringify(calls[1]!.messages)).toContain('small');
    expect(events.find(({ type }) => type === 'media-removed')).toMatchObject({ parts: 0, shrunk: 1 });
  });
});

describe('limits', () => {
  it('block compactions that follow each other too fast, and report it', async () => {
    const { session, events, clock } = makeSession({
      window: 16_000,
      limits: { attempts: 20, rapid: { compactions: 3, requests: 10, withinMs: 60_000 } },
    });
    const messages: Message[] = [user('Begin.')];
    // Each turn fills the window again, with words that cannot be pruned.
    const filling = (index: number): Message[] => [assistant(filler(6_000, index)), user(`Request ${index}.`)];
    for (let index = 0; index < 6; index++) {
      messages.push(...filling(index));
      const made = await session.beforeRequest(messages);
      session.afterResponse({ prompt_tokens: made.info.tokens }, made);
    }
    const blocked = events.find(({ type }) => type === 'compaction-blocked');
    expect(blocked).toMatchObject({ reason: 'rapid', retryAt: expect.any(Number) });
    // Meanwhile the request is kept within the window by rules, without a model.
    expect(session.records().at(-1)).toMatchObject({ modelCalls: 0 });
    const before = events.length;
    clock.advance(120_000);
    await session.beforeRequest([...messages, ...filling(6)]);
    expect(events.slice(before).filter(({ type }) => type === 'compaction-blocked')).toEqual([]);
  });

  it('detect a server that truncates prompts silently', async () => {
    const { session, events } = makeSession({ window: 100_000 });
    for (const count of [10, 20]) {
      const made = await session.beforeRequest(turns(count));
      session.afterResponse({ prompt_tokens: 2_048 }, made);
    }
    expect(events.find(({ type }) => type === 'prompt-truncated')).toMatchObject({ promptTokens: 2_048 });
  });

  it('compact for a model with a smaller window before the first request to it', async () => {
    const { session, events } = makeSession({ window: 100_000 });
    await session.beforeRequest(turns(30));
    session.updateModel({ id: 'small', contextLength: 8_000 });
    const made = await session.beforeRequest(turns(30));
    expect(made.info.compactions.length).toBe(1);
    expect(made.info.tokens).toBeLessThan(8_000);
    expect(events.find(({ type }) => type === 'model-switch')).toMatchObject({ to: 'small', contextLength: 8_000 });
  });
});
