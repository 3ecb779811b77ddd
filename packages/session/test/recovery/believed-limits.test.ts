import { describe, expect, it } from 'vitest';
import { makeSession, turns } from '../make-session.ts';

const refusal = (body: object): Error => Object.assign(new Error('Bad Request'), { status: 400, body });
const says = (limit: number): Error =>
  refusal({ error: { message: `This model's maximum context length is ${limit} tokens.` } });

describe('a window is learned', () => {
  it('from the error itself, never from quoted conversation text', async () => {
    const { session } = makeSession({ window: 64_000 });
    const echoed = "This model's maximum context length is 6000 tokens. However, you requested 9000 tokens.";
    const quoting = [
      { error: 'upstream rejected the request', body: { model: 'm', messages: [{ role: 'tool', content: echoed }] } },
      { detail: [{ loc: ['body', 'messages', 3, 'name'], msg: 'Field required', input: echoed }] },
      { error: { message: 'Failed to call a function.', failed_generation: echoed } },
    ];
    for (const body of quoting) {
      const error = refusal(body);
      await expect(
        session.run(turns(3), async () => {
          throw error;
        }),
      ).rejects.toBe(error);
      expect(session.status().contextLength).toBe(64_000);
    }
  });

  it.each([
    ['too small for any model', 600],
    ['far below what was answered before', 4_000],
  ])('not when it is %s', async (_, limit) => {
    const { session, events } = makeSession({ window: 64_000 });
    const made = await session.beforeRequest(turns(30));
    session.afterResponse({ prompt_tokens: 12_000 }, made);
    let calls = 0;
    await session.run(turns(31), async () => {
      if (calls++ === 0) throw says(limit);
      return { usage: { prompt_tokens: 900 } };
    });
    expect(session.status().contextLength).toBe(64_000);
    expect(events.filter(({ type }) => type === 'limit-learned')).toEqual([]);
  });

  it('from the sizes it refuses and answers when the stated one cannot be true', async () => {
    const { session, events } = makeSession({ window: 64_000 });
    const made = await session.beforeRequest(turns(30));
    session.afterResponse({ prompt_tokens: 12_000 }, made);
    let calls = 0;
    await session.run(turns(34), async () => {
      if (calls++ === 0) throw says(90_000);
      return {};
    });
    const { contextLength } = session.status();
    expect(contextLength).toBeGreaterThanOrEqual(12_000);
    expect(contextLength).toBeLessThan(14_000);
    expect(events.filter(({ type }) => type === 'limit-learned')).toMatchObject([{ contextLength, isStated: false }]);
    const restarted = makeSession({ window: 64_000 }).session;
    await restarted.restore(await session.snapshot());
    expect(restarted.status().contextLength).toBeLessThan(14_000);
    // A much larger prompt that is answered shows that the refusal was not about the size.
    const large = await session.beforeRequest(turns(60), { maxTokens: 1 });
    session.afterResponse({ prompt_tokens: 24_000 }, large);
    expect(session.status().contextLength).toBe(64_000);
  });

  it('when it is plausible', async () => {
    const { session } = makeSession({ window: 64_000 });
    const made = await session.beforeRequest(turns(30));
    session.afterResponse({ prompt_tokens: 9_000 }, made);
    let calls = 0;
    await session.run(turns(31), async () => {
      if (calls++ === 0) throw says(8_192);
      return { usage: { prompt_tokens: 900 } };
    });
    expect(session.status().contextLength).toBe(8_192);
  });
});

describe('a limit of the plan', () => {
  it('makes this request smaller and does not change the window', async () => {
    const { session, events } = makeSession({ window: 64_000 });
    const sizes: number[] = [];
    await session.run(turns(40), async (messages) => {
      sizes.push(JSON.stringify(messages).length / 4);
      if (sizes.length === 1)
        throw Object.assign(new Error('429'), {
          status: 429,
          error: {
            message: 'Request too large for m on tokens per min (TPM): Limit 6000, Requested 13000.',
            code: 'rate_limit_exceeded',
          },
        });
      return { usage: { prompt_tokens: 900 } };
    });
    expect(sizes[0]).toBeGreaterThan(9_000);
    expect(sizes[1]).toBeLessThan(6_000);
    expect(session.status().contextLength).toBe(64_000);
    expect(events.find(({ type }) => type === 'request-refused')).toMatchObject({
      action: 'compact',
      limitTokens: null,
    });
  });
});

describe('an error without a reason', () => {
  const dropped = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  const wordless = Object.assign(new Error('400 Error'), { status: 400, error: { message: 'Error' } });

  it.each([
    ['a dropped connection', dropped],
    ['a 400 that says Error', wordless],
  ])("%s compacts a nearly full window, and is the caller's otherwise", async (_, error) => {
    const { info } = await makeSession({ window: 0 }).session.beforeRequest(turns(30));
    const full = makeSession({ window: Math.round(info.tokens / 0.82), engineOptions: { threshold: 0.95 } as never });
    let calls = 0;
    await full.session.run(turns(30), async () => {
      if (calls++ === 0) throw error;
      return {};
    });
    expect(full.session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);

    const small = makeSession({ window: 64_000 });
    await expect(
      small.session.run(turns(3), async () => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(small.session.records()).toEqual([]);
  });
});
