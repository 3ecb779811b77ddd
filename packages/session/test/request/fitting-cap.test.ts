import type { Message } from '@palimpsest/core';
import { assistant, system, user } from '@palimpsest/testkit';
import { createTokenCounter } from '@palimpsest/tokens';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextWindow, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { makeSession, type TestSessionOptions } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const window = 8_000;
const cap = 2_000;

/** A conversation whose system prompt has about so many tokens. */
const withPrompt = (tokens: number): Message[] => [
  system('Keep every rule of this list in mind. '.repeat(tokens / 9)),
  user('Is the first rule clear?'),
  assistant('Yes.'),
  user('Then go on.'),
];

/** The cap that is sent with a prompt, and the tokens that the prompt leaves. */
async function sentCap(tokens: number, options: TestSessionOptions = {}, minTokens?: number) {
  const { session, events } = makeSession({ window, ...options });
  const { info } = await session.beforeRequest(withPrompt(tokens), { maxTokens: cap, minTokens });
  return { sent: info.maxTokens!, left: window - info.tokens, compactions: session.records().length, events };
}

describe('an output cap', () => {
  it('that fits next to the prompt is sent as it is', async () => {
    expect((await sentCap(3_000)).sent).toBe(cap);
  });

  it('is lowered to what a prompt that cannot be made smaller leaves', async () => {
    const { sent, left } = await sentCap(6_600);
    expect(left).toBeLessThan(cap);
    expect(sent).toBeLessThanOrEqual(left);
    expect(sent).toBeGreaterThan(left * 0.5);
  });

  it('stays when too little would be left for a useful answer, or when no window is known', async () => {
    const { left, sent } = await sentCap(7_800);
    expect(left).toBeLessThan(cap / 2);
    expect(sent).toBe(cap);
    expect((await sentCap(6_600, {}, 1_900)).sent).toBe(cap);
    expect((await sentCap(6_600, { window: 0 })).sent).toBe(cap);
  });

  it('is lowered before a strict server refuses it, and applies again when it fits', async () => {
    const judge = contextWindow(window);
    const caps: unknown[] = [];
    let refused = 0;
    server.play((request) => {
      const { promptTokens, refusal } = judge(request);
      if (refusal) refused++;
      else caps.push(request.body.max_tokens);
      return refusal ?? { kind: 'answer', text: 'Done.', promptTokens, completionTokens: 2 };
    });
    const { session } = makeSession({ window });
    const client = new OpenAI({ apiKey: 'unused', baseURL: server.openaiUrl, fetch: contextFetch(session) });
    const messages = withPrompt(5_900);
    for (let round = 0; round < 12; round++) {
      const { choices } = await client.chat.completions.create({
        model: 'test-model',
        messages: messages as never,
        max_tokens: cap,
      });
      messages.push(assistant(choices[0]!.message.content), user(`And rule ${round}?`));
    }
    expect(refused).toBe(0);
    expect(caps).toHaveLength(12);
    // The first prompt is only estimated.
    expect(caps[1]).toBe(cap);
    expect(caps.at(-1)).toBeLessThan(cap);
    expect(caps.at(-1)).toBeGreaterThan(cap * 0.75);
    await client.chat.completions.create({ model: 'test-model', messages: [messages[1] as never], max_tokens: cap });
    expect(caps.at(-1)).toBe(cap);
  });

  it('is lowered in the first request, too, whose estimate may be too low', async () => {
    const judge = contextWindow(window);
    let refused = 0;
    server.play((request) => {
      const { promptTokens, refusal } = judge(request);
      if (refusal) refused++;
      return refusal ?? { kind: 'answer', text: 'Done.', promptTokens, completionTokens: 2 };
    });
    const tokens = createTokenCounter();
    const low = {
      ...tokens,
      measureRequest: (request: Parameters<typeof tokens.measureRequest>[0]) => {
        const { images, text, total } = tokens.measureRequest(request);
        return { images, text: text * 0.89, total: total * 0.89 };
      },
    };
    const { session } = makeSession({ window, tokens: low });
    const client = new OpenAI({ apiKey: 'unused', baseURL: server.openaiUrl, fetch: contextFetch(session) });
    const messages = withPrompt(5_700) as never;
    await client.chat.completions.create({ model: 'test-model', messages, max_tokens: cap });
    expect(refused).toBe(0);
  });
});
