import type { Message } from '@palimpsest/core';
import { assistant, user } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextWindow, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { filler, makeSession, turns } from '../make-session.ts';

const truncations = (events: readonly { readonly type: string }[]): unknown[] =>
  events.filter(({ type }) => type === 'prompt-truncated');

/** A chat that grows by the given number of tokens per turn. */
async function chat(turns: number, grows: number, report: (tokens: number) => unknown, reserveOutputTokens?: number) {
  const made = makeSession({ model: { id: 'test-model', contextLength: 32_000, reserveOutputTokens } });
  const messages: Message[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < turns; at++) {
    messages.push(user(`Question ${at}: ${filler(grows / 2, at)}`));
    const request = await made.session.beforeRequest(messages);
    sizes.push(request.info.tokens);
    made.session.afterResponse(report(request.info.tokens), request);
    messages.push(assistant(`Answer ${at}: ${filler(grows / 2, `a${at}`)}`));
  }
  return { ...made, messages, sizes };
}

describe('a server that truncates prompts silently', () => {
  it.each([200, 400, 900])('is detected when turns grow by %i tokens, and its window is learned', async (grows) => {
    // A little less or more each time, since it cuts at whole messages.
    const { events, session, sizes } = await chat(Math.ceil(12_000 / grows), grows, (tokens) => ({
      prompt_tokens: Math.min(4_096 - (tokens % 37), tokens),
    }));
    expect(truncations(events).length).toBe(1);
    const { contextLength } = session.status();
    expect(contextLength).toBeGreaterThan(4_000);
    expect(contextLength).toBeLessThanOrEqual(4_096);
    expect(Math.max(...sizes.slice(-3))).toBeLessThanOrEqual(4_096);
  });

  it('is detected when room for a long answer is reserved, too', async () => {
    const cutTo = { prompt_tokens: 4_096 };
    const { session, sizes } = await chat(
      20,
      800,
      (tokens) => (tokens > 4_096 ? cutTo : { prompt_tokens: tokens }),
      4_096,
    );
    expect(session.status().contextLength).toBe(4_096);
    expect(Math.max(...sizes.slice(-3))).toBeLessThanOrEqual(4_096);
  });

  it.each([1_200, 3_000])(
    'is distinguished from a gateway that leaves out cached tokens: %i tokens a turn',
    async (grows) => {
      let before = 0;
      const { session } = await chat(8, grows, (tokens) => {
        const uncached = tokens - before;
        before = tokens;
        return { prompt_tokens: uncached };
      });
      expect(session.status().contextLength).toBe(32_000);
    },
  );

  it('is detected at the first request', async () => {
    const { session, events } = makeSession({ window: 100_000 });
    const made = await session.beforeRequest(turns(60));
    session.afterResponse({ prompt_tokens: 4_096 }, made);
    expect(truncations(events)).toMatchObject([{ promptTokens: 4_096 }]);
    expect((await session.engine()).state.lastPromptTokens).toBeGreaterThan(10_000);
  });

  it.each([200, 900, 3_000])(
    'is distinguished from one that counts a quarter less or more: %i tokens a turn',
    async (grows) => {
      for (const factor of [0.75, 1, 1.25]) {
        let sent = 0;
        const { events } = await chat(Math.ceil(12_000 / grows), grows, () => {
          sent += grows * factor;
          return { prompt_tokens: Math.round(sent) };
        });
        expect(truncations(events)).toEqual([]);
      }
    },
  );
});

describe('a usage report without the cached tokens', () => {
  it('does not make the size stated in a refusal implausible', async () => {
    const { session } = makeSession({ window: 200_000 });
    const messages = turns(100);
    const made = await session.beforeRequest(messages);
    // Anthropic's `input_tokens` alone, as a gateway passes it on.
    session.afterResponse({ input_tokens: 12, output_tokens: 5 }, made);
    const next = await session.beforeRequest([...messages, assistant('Yes.'), user('Go on.')]);
    expect(next.info.tokens).toBeGreaterThan(20_000);
    await session.recover(
      {
        class: 'context-overflow',
        action: 'compact',
        status: 400,
        limitTokens: 28_000,
        outputTokens: null,
        promptTokens: 29_000,
        limitBytes: null,
        limitPixels: null,
      } as never,
      next,
    );
    expect(session.records().at(-1)).toMatchObject({ tokensBefore: 29_000 });
  });
});

describe('two conversations on one session', () => {
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await startLoopbackServer();
  });
  afterAll(() => server.close());

  const conversation = (name: string, count: number): OpenAI.ChatCompletionMessageParam[] => [
    { role: 'user', content: `This is the conversation ${name}.` },
    { role: 'assistant', content: `Welcome to ${name}.` },
    ...(turns(count) as OpenAI.ChatCompletionMessageParam[]),
    { role: 'user', content: `And now, ${name}?` },
  ];

  it('are both answered, and an event reports that they share it', async () => {
    const judge = contextWindow(8_000);
    server.play((request) => {
      const { promptTokens, refusal } = judge(request);
      return refusal ?? { kind: 'answer', text: 'Yes.', promptTokens, completionTokens: 2 };
    });
    // The session assumes a larger window than the real one, so that it also has to handle refusals.
    const { session, events } = makeSession({ window: 16_000 });
    const client = new OpenAI({
      apiKey: 'test',
      baseURL: server.openaiUrl,
      fetch: contextFetch(session),
      maxRetries: 0,
    });
    for (const [name, count] of [
      ['one', 36],
      ['two', 30],
      ['one', 38],
      ['two', 33],
      ['two', 40],
      ['one', 40],
    ] as const) {
      const reply = await client.chat.completions.create({ model: 'm', messages: conversation(name, count) });
      expect(reply.choices[0]!.message.content).toBe('Yes.');
      expect(server.received.at(-1)!.text).toContain(`And now, ${name}?`);
      expect(server.received.at(-1)!.text).not.toContain(`And now, ${name === 'one' ? 'two' : 'one'}?`);
    }
    expect(events.filter(({ type }) => type === 'second-conversation').length).toBe(1);
  });

  it('are not reported for short side requests', async () => {
    const { session, events } = makeSession();
    for (let index = 1; index < 4; index++) {
      await session.beforeRequest(turns(index * 5));
      await session.beforeRequest([user('Make up a title for a chat.')]);
    }
    expect(events.filter(({ type }) => type === 'second-conversation')).toEqual([]);
  });
});
