import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { makeSession, type TestSession } from '../make-session.ts';

let server: LoopbackServer;
let made: TestSession;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
beforeEach(() => {
  made = makeSession();
});

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }];
const answer: Behaviour = { kind: 'answer', text: 'An answer.' };

function client(fetch = contextFetch(made.session), maxRetries = 0): OpenAI {
  return new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries });
}

const ask = (by: OpenAI) => by.chat.completions.create({ model: 'm', messages }).catch((error: unknown) => error);
const refusals = () => made.events.filter(({ type }) => type === 'request-refused');

/** Errors that the session leaves to the caller. */
const left: readonly [name: string, status: number, code: string, message: string, kind: string][] = [
  [
    'an orphaned result',
    400,
    'invalid_request_error',
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    'invalid-request',
  ],
  ['an unsupported parameter', 400, 'unsupported_parameter', "Unsupported parameter: 'temperature'", 'invalid-request'],
  ['a wrong key', 401, 'invalid_api_key', 'Incorrect API key provided: sk-***.', 'access'],
  ['an unknown model', 404, 'model_not_found', 'The model `m` does not exist', 'invalid-request'],
  [
    'a rate limit',
    429,
    'rate_limit_exceeded',
    'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4s.',
    'rate-limit',
  ],
  ['a failing server', 500, 'server_error', 'The server had an error while processing your request.', 'server'],
];

describe('a refusal that is left to the caller of contextFetch', () => {
  it.each(left)('is reported once: %s', async (_, status, code, message, kind) => {
    server.play(() => ({ kind: 'status', status, code, message }));
    expect(await ask(client())).toMatchObject({ status, message: expect.stringContaining(message) });
    expect(refusals()).toEqual([
      expect.objectContaining({ class: kind, action: 'none', status, limitTokens: null, attempt: 1 }),
    ]);
  });

  it('is reported for each try of the SDK', async () => {
    server.play((_, number) => (number < 2 ? { kind: 'status', status: 500, retryAfterSeconds: 0 } : answer));
    expect(await ask(client(undefined, 2))).toMatchObject({ choices: [expect.anything()] });
    expect(refusals().length).toBe(2);
  });

  it('is reported when the calls of the session are answered inside the fetch', async () => {
    made = makeSession({ recall: true });
    server.play(() => ({ kind: 'status', status: 401 }));
    expect(await ask(client(contextFetch(made.session, { recall: true })))).toMatchObject({ status: 401 });
    expect(refusals()).toEqual([expect.objectContaining({ class: 'access', action: 'none' })]);
  });

  it('is reported when the server cannot be reached', async () => {
    const fetch = contextFetch(made.session, { fetch: () => Promise.reject(new TypeError('fetch failed')) });
    expect(await ask(client(fetch))).toBeInstanceOf(OpenAI.APIConnectionError);
    expect(refusals()).toEqual([expect.objectContaining({ class: 'network', action: 'none', status: null })]);
  });

  it('is not reported for a call that the caller cancelled', async () => {
    server.play(() => ({ kind: 'stall', at: 'start' }));
    const stop = new AbortController();
    const asked = client().chat.completions.create({ model: 'm', messages }, { signal: stop.signal });
    await server.arrival(1);
    stop.abort();
    await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError);
    expect(refusals()).toEqual([]);
  });

  it('reaches the caller as the provider wrote it, and is read only in part', async () => {
    // Far more than is read to classify it.
    const body = `{"error":{"message":"Unsupported parameter"},"request":"${'x'.repeat(3_000_000)}"}`;
    const reply = new Response(body, { status: 400, headers: { 'x-request-id': 'r1' } });
    const fetch = contextFetch(made.session, { fetch: async () => reply });
    const got = await fetch(`${server.openaiUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages }),
    });
    expect(got.headers.get('x-request-id')).toBe('r1');
    expect((await got.text()) === body).toBe(true);
    expect(refusals().length).toBe(1);
  });

  it('reaches the caller even if the connection breaks inside its body', async () => {
    let pieces = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pieces++ === 0) controller.enqueue(new TextEncoder().encode('{"error":{"message":"Unsupp'));
        else controller.error(new TypeError('terminated'));
      },
    });
    const fetch = contextFetch(made.session, { fetch: async () => new Response(stream, { status: 400 }) });
    const body = JSON.stringify({ model: 'm', messages });
    const got = await fetch(`${server.openaiUrl}/chat/completions`, { method: 'POST', body });
    expect(got.status).toBe(400);
    await expect(got.text()).rejects.toThrow('terminated');
    expect(refusals()).toEqual([expect.objectContaining({ action: 'none', status: 400 })]);
  });

  it('contains nothing that the provider wrote', async () => {
    server.play(() => ({
      kind: 'status',
      status: 401,
      message: 'Incorrect API key provided: sk-proj-0123456789abcdef',
    }));
    await ask(client());
    expect(JSON.stringify(refusals())).not.toMatch(/sk-|Incorrect/);
  });
});

describe('a refusal inside a stream', () => {
  it('is reported', async () => {
    server.play(() => ({ kind: 'stream-error', code: 'server_error' }));
    const stream = await client().chat.completions.create({ model: 'm', messages, stream: true });
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow();
    expect(refusals()).toEqual([expect.objectContaining({ class: 'server', action: 'none' })]);
  });
});

describe('the reason of compaction-exhausted', () => {
  it('names the sizes, not only what the engine did last', async () => {
    made = makeSession({ window: 32_000 });
    server.play(() => ({
      kind: 'status',
      status: 400,
      code: 'context_length_exceeded',
      message: "This model's maximum context length is 8000 tokens. However, your messages resulted in 11149 tokens.",
    }));
    const long = 'You are a coding agent. '.repeat(300);
    await client()
      .chat.completions.create({ model: 'm', messages: [{ role: 'system', content: long }, ...messages] })
      .catch(() => undefined);
    const [event] = made.events.filter(({ type }) => type === 'compaction-exhausted');
    expect(event).toMatchObject({
      reason: expect.stringMatching(
        /^The provider counts 11,149 tokens and allows 8,000\. The session counts [\d,]+ tokens, of which the system prompt and the tools take 1,\d{3}\. Nothing more could be removed: ./,
      ),
    });
  });
});
