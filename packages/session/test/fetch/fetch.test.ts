import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@palimpsest/core';
import { createScriptedSummarizer, type ScriptedSummarizer } from '@palimpsest/testkit';
import OpenAI, { APIUserAbortError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { filler, makeSession, type TestSession, turn } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const answer: Behaviour = { kind: 'answer', text: 'An answer.', promptTokens: 1_000, completionTokens: 7 };

function openai(session: Session, fetch = contextFetch(session)): OpenAI {
  return new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
}

function anthropic(session: Session): Anthropic {
  return new Anthropic({
    apiKey: 'test',
    baseURL: server.anthropicUrl,
    fetch: contextFetch(session),
    maxRetries: 0,
  });
}

/** The given number of turns of about 300 tokens. */
function history(turns: number): OpenAI.ChatCompletionMessageParam[] {
  const messages: Message[] = [{ role: 'system', content: 'You are a coding agent.' }];
  for (let index = 0; index < turns; index++) messages.push(...turn(index));
  messages.push({ role: 'user', content: 'And now?' });
  return messages as OpenAI.ChatCompletionMessageParam[];
}

/** The same for Anthropic. */
function anthropicHistory(turns: number): Anthropic.MessageParam[] {
  const messages: Anthropic.MessageParam[] = [];
  for (let index = 0; index < turns; index++)
    messages.push(
      { role: 'user', content: `Request ${index}: please look at file ${index}.` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `call_${index}`, name: 'read_file', input: { path: `src/${index}.ts` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${index}`, content: filler(200, index) }] },
      { role: 'assistant', content: `File ${index} computes values.` },
    );
  return [...messages, { role: 'user', content: 'And now?' }];
}

/** The same for Responses. */
function responsesHistory(turns: number): OpenAI.Responses.ResponseInputItem[] {
  const items: OpenAI.Responses.ResponseInputItem[] = [];
  for (let index = 0; index < turns; index++)
    items.push(
      { role: 'user', content: `Request ${index}: please look at file ${index}.` },
      {
        type: 'function_call',
        call_id: `call_${index}`,
        name: 'read_file',
        arguments: JSON.stringify({ path: `src/${index}.ts` }),
      },
      { type: 'function_call_output', call_id: `call_${index}`, output: filler(200, index) },
      { role: 'assistant', content: `File ${index} computes values.` },
    );
  return [...items, { role: 'user', content: 'And now?' }];
}

let made: TestSession;
beforeEach(() => {
  made = makeSession();
  server.play(() => answer);
});

/** Every method of a client that requests an answer. */
const ways: Readonly<Record<string, (session: Session, turns: number) => Promise<string>>> = {
  'chat.completions.create': async (session, turns) => {
    const reply = await openai(session).chat.completions.create({ model: 'm', messages: history(turns) });
    return reply.choices[0]!.message.content!;
  },
  'chat.completions.create, streamed': async (session, turns) => {
    const stream = await openai(session).chat.completions.create({
      model: 'm',
      messages: history(turns),
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    return text;
  },
  'chat.completions.stream': async (session, turns) =>
    (await openai(session)
      .chat.completions.stream({ model: 'm', messages: history(turns) })
      .finalContent()) ?? '',
  'chat.completions.parse': async (session, turns) => {
    const reply = await openai(session).chat.completions.parse({ model: 'm', messages: history(turns) });
    return reply.choices[0]!.message.content!;
  },
  'chat.completions.runTools': async (session, turns) => {
    const runner = openai(session).chat.completions.runTools({
      model: 'm',
      messages: history(turns),
      tools: [
        {
          type: 'function',
          function: { name: 'now', function: () => 'noon', parse: JSON.parse, description: 'time', parameters: {} },
        },
      ],
    });
    return (await runner.finalContent()) ?? '';
  },
  'responses.create': async (session, turns) =>
    (
      await openai(session).responses.create({
        model: 'm',
        instructions: 'You are a coding agent.',
        input: responsesHistory(turns),
      })
    ).output_text,
  'responses.stream': async (session, turns) => {
    const stream = openai(session).responses.stream({ model: 'm', input: responsesHistory(turns) });
    let text = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    return text;
  },
  'messages.create': async (session, turns) => {
    const reply = await anthropic(session).messages.create({
      model: 'm',
      max_tokens: 500,
      system: 'You are a coding agent.',
      messages: anthropicHistory(turns),
    });
    return reply.content[0]!.type === 'text' ? reply.content[0].text : '';
  },
  'messages.stream': async (session, turns) =>
    anthropic(session)
      .messages.stream({ model: 'm', max_tokens: 500, messages: anthropicHistory(turns) })
      .finalText(),
  'beta.messages.create, streamed': async (session, turns) => {
    const stream = await anthropic(session).beta.messages.create({
      model: 'm',
      max_tokens: 500,
      messages: anthropicHistory(turns),
      stream: true,
    });
    let text = '';
    for await (const event of stream)
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    return text;
  },
};

describe.each(Object.entries(ways))('%s behind contextFetch', (_, ask) => {
  it('sends a conversation that fits unchanged, byte for byte', async () => {
    expect(await ask(made.session, 2)).toBe('An answer.');
    const [sent] = server.received;
    const plain: string[] = [];
    const bare = globalThis.fetch;
    const session = made.session;
    // The same call without the session.
    const passing = { ...session, beforeRequest: session.beforeRequest } as Session;
    globalThis.fetch = (input, init) => {
      plain.push(String(init?.body));
      return bare(input, init);
    };
    try {
      await ask(passing, 2);
    } finally {
      globalThis.fetch = bare;
    }
    expect(plain).toEqual([JSON.stringify(sent!.body)]);
    expect(made.summarizer.calls).toEqual([]);
  });

  it('compacts a conversation over the threshold, and learns from the reply', async () => {
    expect(await ask(made.session, 30)).toBe('An answer.');
    expect(server.received.length).toBe(1);
    expect(server.received[0]!.problems).toEqual([]);
    expect(made.session.records().length).toBe(1);
    expect(made.summarizer.calls.length).toBe(1);
    expect(server.received[0]!.text).toContain('And now?');
    expect(server.received[0]!.text).not.toContain('0:3 const value_3');
    expect((await made.session.engine()).state.lastPromptTokens).toBe(1_000);
    expect((await made.session.engine()).state.lastCompletionTokens).toBe(7);
    // The same request again: nothing is summarized twice.
    const first = JSON.stringify(server.received[0]!.body);
    await ask(made.session, 30);
    expect(JSON.stringify(server.received[1]!.body)).toBe(first);
    expect(made.summarizer.calls.length).toBe(1);
  });

  it('repeats a refused request with a smaller one', async () => {
    made = makeSession({ window: 64_000 });
    const refused = {
      openai: "This model's maximum context length is 6000 tokens. However, your messages resulted in 9700 tokens.",
      anthropic: 'prompt is too long: 9,700 tokens > 6,000 maximum',
    };
    server.play(({ protocol }, number) =>
      number > 0
        ? answer
        : {
            kind: 'status',
            status: 400,
            code: protocol === 'anthropic' ? 'invalid_request_error' : 'context_length_exceeded',
            message: refused[protocol === 'anthropic' ? 'anthropic' : 'openai'],
          },
    );
    expect(await ask(made.session, 30)).toBe('An answer.');
    expect(server.received.length).toBe(2);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(made.session.status().contextLength).toBe(6_000);
    expect(made.session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);
  });
});

describe('contextFetch', () => {
  it('passes a refusal that cannot be solved to the SDK as the provider wrote it', async () => {
    server.play(() => ({ kind: 'status', status: 400, code: 'invalid_request_error', message: 'temperature is bad' }));
    await expect(
      openai(made.session).chat.completions.create({ model: 'm', messages: history(1) }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('temperature is bad') });
    expect(server.received.length).toBe(1);
    expect(made.events.at(-1)).toMatchObject({ type: 'request-refused', class: 'invalid-request', action: 'none' });
  });

  it('gives up after the attempts of one user turn, with the refusal itself', async () => {
    server.play(() => ({ kind: 'status', status: 400, code: 'context_length_exceeded', message: 'too long' }));
    await expect(
      openai(made.session).chat.completions.create({ model: 'm', messages: history(10) }),
    ).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(server.received.length).toBeGreaterThan(1);
    expect(server.received.length).toBeLessThanOrEqual(4);
    expect(made.events.at(-1)).toMatchObject({ type: 'compaction-exhausted' });
  });

  it('lowers an output cap that is too high, without compacting', async () => {
    const { session } = makeSession({ window: 20_000 });
    server.play((_, number) =>
      number > 0
        ? answer
        : {
            kind: 'status',
            status: 400,
            message: 'max_tokens: 9000 > 4096, which is the maximum allowed number of output tokens for m',
          },
    );
    const client = anthropic(session);
    const body = { model: 'm', max_tokens: 9_000, messages: anthropicHistory(1) };
    await client.messages.create({ ...body, stream: false });
    expect(server.received.map(({ body: sent }) => sent.max_tokens)).toEqual([9_000, 4_096]);
    await client.messages.create({ ...body, stream: false });
    expect(server.received.at(-1)!.body.max_tokens).toBe(4_096);
    expect(session.records()).toEqual([]);
  });

  it('removes pictures from a request with too many bytes', async () => {
    server.play((_, number) =>
      number > 0 ? answer : { kind: 'status', status: 413, code: 'request_too_large', message: 'Request too large' },
    );
    const data = Buffer.from('picture '.repeat(600)).toString('base64');
    await anthropic(made.session).messages.create({
      model: 'm',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    });
    expect(server.received.length).toBe(2);
    expect(server.received[0]!.text).toContain(data);
    expect(server.received[1]!.text).not.toContain(data);
    expect(server.received[1]!.text).toContain('[image removed: too large for the provider]');
  });

  it('compacts the next request first when a stream ends in an overflow', async () => {
    const client = openai(made.session);
    server.play((_, number) =>
      number > 0 ? answer : { kind: 'stream-error', text: 'Let me', code: 'context_length_exceeded' },
    );
    const messages = history(8);
    await expect(client.chat.completions.stream({ model: 'm', messages }).finalContent()).rejects.toThrow();
    await client.chat.completions.create({ model: 'm', messages });
    expect(made.session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);
  });

  it('does not change requests without a conversation', async () => {
    const seen: { readonly url: string; readonly body: unknown }[] = [];
    const fetch = contextFetch(made.session, {
      fetch: async (input, init) => {
        seen.push({ url: String(input), body: init?.body });
        return Response.json({ data: [] });
      },
    });
    const bodies: [path: string, body: BodyInit][] = [
      ['/v1/embeddings', JSON.stringify({ model: 'm', input: ['a'] })],
      ['/v1/messages/count_tokens', JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a' }] })],
      ['/v1/messages/batches', JSON.stringify({ requests: [] })],
      ['/v1/files', new FormData()],
      ['/v1/chat/completions', 'no JSON'],
      ['/v1/chat/completions', JSON.stringify({ model: 'm', messages: 'no list' })],
    ];
    for (const [path, body] of bodies) await fetch(`http://localhost${path}`, { method: 'POST', body });
    await fetch('http://localhost/v1/models');
    expect(seen.map(({ body }) => body)).toEqual([...bodies.map(([, body]) => body), undefined]);
    expect(made.events).toEqual([]);
  });

  it('reports a conversation that the provider stores', async () => {
    await openai(made.session).responses.create({ model: 'm', previous_response_id: 'resp_0', input: 'And now?' });
    expect(server.received[0]!.body).toEqual({ model: 'm', previous_response_id: 'resp_0', input: 'And now?' });
    expect(made.events.at(-1)).toMatchObject({
      type: 'request-passed-through',
      reason: expect.stringContaining('previous_response_id'),
    });
  });

  it('reports a conversation that cannot be read, and sends it unchanged', async () => {
    const fetch = contextFetch(made.session, { fetch: async () => Response.json({}) });
    const body = JSON.stringify({ model: 'm', messages: [{ content: 'no role' }] });
    await fetch('http://localhost/v1/chat/completions', { method: 'POST', body });
    expect(made.events.at(-1)).toMatchObject({ type: 'request-passed-through' });
    expect(JSON.stringify(made.events)).not.toContain('no role');
  });

  it('reports a conversation under a path that is not known, and sends it unchanged', async () => {
    const fetch = contextFetch(made.session, { fetch: async () => Response.json({}) });
    const body = JSON.stringify({ model: 'm', messages: history(1) });
    await fetch('http://localhost/api/generate?key=secret', { method: 'POST', body });
    expect(made.events).toEqual([
      expect.objectContaining({ type: 'request-passed-through', reason: expect.stringContaining('/api/generate"') }),
    ]);
  });

  it('accepts a Request as well as a URL, and bytes as well as text', async () => {
    const seen: string[] = [];
    const fetch = contextFetch(made.session, {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        seen.push(`${request.method} ${request.url} ${request.headers.get('x-mine')} ${await request.text()}`);
        return Response.json({});
      },
    });
    const url = 'http://localhost/v1/chat/completions';
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
    const headers = { 'x-mine': 'yes' };
    await fetch(new Request(url, { method: 'POST', body, headers }));
    await fetch(new URL(url), { method: 'POST', body: new TextEncoder().encode(body), headers });
    expect(seen).toEqual([`POST ${url} yes ${body}`, `POST ${url} yes ${body}`]);
  });

  it('rejects like fetch when the caller aborts, also while a compaction runs', async () => {
    let release = (): void => {};
    const stop = new AbortController();
    const summarizer: ScriptedSummarizer = {
      ...createScriptedSummarizer([]),
      async summarize() {
        stop.abort();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return { text: 'too late' };
      },
    };
    const { session } = makeSession({ summarizer });
    const call = openai(session).chat.completions.create(
      { model: 'm', messages: history(30) },
      { signal: stop.signal },
    );
    await expect(call).rejects.toBeInstanceOf(APIUserAbortError);
    release();
    expect(server.received).toEqual([]);
  });

  it('passes a stream on chunk by chunk', async () => {
    let push: (text: string) => void = () => {};
    const encoder = new TextEncoder();
    let cancelled: unknown = null;
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => controller.enqueue(encoder.encode(text));
      },
      cancel(reason) {
        cancelled = reason;
      },
    });
    const fetch = contextFetch(made.session, {
      fetch: async () => new Response(source, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello.' }] });
    const reply = await fetch('http://localhost/v1/messages', { method: 'POST', body });
    const reader = reply.body!.getReader();
    // The event is cut in the middle of a word and of a character.
    push('data: {"type":"message_start","message":{"usage":{"input_tokens":41,');
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"input_tokens":41');
    push('"output_tokens":1}}}\n\n');
    await reader.read();
    await reader.cancel('enough');
    expect(cancelled).toBe('enough');
    expect((await made.session.engine()).state.lastPromptTokens).toBe(41);
  });

  it('lets a summarizer use the same client', async () => {
    const clients: OpenAI[] = [];
    server.play(({ text }) => ({
      ...(answer as Behaviour & { kind: 'answer' }),
      text: text.includes('Write the notes') ? '## Goal\nThe files are read.' : 'An answer.',
    }));
    const summarizer: ScriptedSummarizer = {
      ...createScriptedSummarizer([]),
      async summarize() {
        const reply = await clients[0]!.chat.completions.create({
          model: 'small',
          messages: [{ role: 'user', content: 'Write the notes, please.' }],
        });
        return { text: reply.choices[0]!.message.content! };
      },
    };
    const { session } = makeSession({ summarizer });
    clients.push(openai(session));
    const reply = await clients[0]!.chat.completions.create({ model: 'm', messages: history(30) });
    expect(reply.choices[0]!.message.content).toBe('An answer.');
    const models = server.received.map(({ model }) => model);
    expect(models.at(-1)).toBe('m');
    expect(new Set(models.slice(0, -1))).toEqual(new Set(['small']));
  });

  it('does not wait for itself when such a summarizer is refused', async () => {
    const clients: OpenAI[] = [];
    server.play(({ model }) => (model === 'small' ? { kind: 'status', status: 401, message: 'no such key' } : answer));
    const summarizer: ScriptedSummarizer = {
      ...createScriptedSummarizer([]),
      async summarize() {
        const messages = [{ role: 'user' as const, content: 'Write the notes, please.' }];
        const reply = await clients[0]!.chat.completions.create({ model: 'small', messages });
        return { text: reply.choices[0]!.message.content! };
      },
    };
    const { session } = makeSession({ summarizer });
    clients.push(openai(session));
    await clients[0]!.chat.completions.create({ model: 'm', messages: history(1) });
    const reply = await clients[0]!.chat.completions.create({ model: 'm', messages: history(30) });
    expect(reply.choices[0]!.message.content).toBe('An answer.');
    expect(server.received.map(({ model }) => model)).toContain('small');
  });

  it('follows a switch to a model with a smaller window', async () => {
    const windows: Readonly<Record<string, number>> = { large: 100_000, small: 8_000 };
    const { session } = makeSession({ window: 100_000 });
    const fetch = contextFetch(session, {
      model: (id) => (windows[id] ? { id, contextLength: windows[id] } : undefined),
    });
    const client = openai(session, fetch);
    await client.chat.completions.create({ model: 'large', messages: history(30) });
    expect(session.records()).toEqual([]);
    await client.chat.completions.create({ model: 'small', messages: history(30) });
    expect(session.records().length).toBe(1);
    expect(session.status()).toMatchObject({ contextLength: 8_000, model: { id: 'small' } });
  });

  it('works with the tool runner of a client', async () => {
    server.play((_, number) =>
      number === 0 ? { kind: 'answer', text: '', calls: [{ id: 'call_1', name: 'now', arguments: '{}' }] } : answer,
    );
    const runner = anthropic(made.session).beta.messages.toolRunner({
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'What time is it?' }],
      tools: [
        {
          name: 'now',
          description: 'The time.',
          input_schema: z.toJSONSchema(z.object({})) as Anthropic.Tool.InputSchema,
          run: () => 'noon',
          parse: (input: unknown) => input,
        },
      ],
    });
    const last = await runner;
    expect(last.content[0]).toMatchObject({ text: 'An answer.' });
    expect(server.received.length).toBe(2);
    expect(server.received[1]!.text).toContain('What time is it?');
    expect(server.received[1]!.text).toContain('noon');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

describe('a thinking budget', () => {
  const tooMuch = (prompt: number, cap: number, window: number): Behaviour => ({
    kind: 'status',
    status: 400,
    message: `input length and \`max_tokens\` exceed context limit: ${prompt} + ${cap} > ${window}, decrease input length or \`max_tokens\` and try again`,
  });
  const ask = (client: Anthropic, turns: number, cap: number, budget: number) =>
    client.messages.create({
      model: 'm',
      max_tokens: cap,
      thinking: { type: 'enabled', budget_tokens: budget },
      messages: anthropicHistory(turns),
    });
  const caps = (): unknown[] =>
    server.received.map(({ body }) => [body.max_tokens, (body.thinking as { budget_tokens?: number })?.budget_tokens]);

  it('is lowered with the cap, and stays valid', async () => {
    const { session } = makeSession({ window: 24_000 });
    server.play([tooMuch(6_000, 19_000, 24_000), answer]);
    await ask(anthropic(session), 10, 19_000, 18_000);
    expect(caps()).toEqual([
      [19_000, 18_000],
      [17_936, 8_968],
    ]);
  });

  it('is kept by compacting the prompt when too little of it would be left', async () => {
    const { session } = makeSession({ window: 24_000 });
    server.play([tooMuch(22_500, 6_000, 24_000), answer]);
    await ask(anthropic(session), 30, 6_000, 4_000);
    expect(session.records().length).toBe(1);
    expect(caps()).toEqual([
      [6_000, 4_000],
      [6_000, 4_000],
    ]);
  });

  it('is restored with the cap after a compaction has made room', async () => {
    const { session } = makeSession({ window: 24_000 });
    server.play([
      tooMuch(12_000, 18_000, 24_000),
      { kind: 'status', status: 400, message: 'prompt is too long: 25000 tokens > 24000 maximum' },
      answer,
    ]);
    await ask(anthropic(session), 40, 18_000, 17_000);
    expect(caps().at(-1)).toEqual([18_000, 17_000]);
  });

  it('is turned off when the model allows only a shorter answer', async () => {
    const { session } = makeSession({ window: 24_000 });
    server.play([
      {
        kind: 'status',
        status: 400,
        message: 'max_tokens: 8000 > 1000, which is the maximum allowed number of output tokens for m',
      },
      answer,
    ]);
    await ask(anthropic(session), 2, 8_000, 4_000);
    expect(server.received.at(-1)!.body).toMatchObject({ max_tokens: 1_000, thinking: { type: 'disabled' } });
  });

  it('of OpenRouter is also lowered', async () => {
    const { session } = makeSession({ window: 24_000 });
    server.play([
      {
        kind: 'status',
        status: 400,
        message: 'max_tokens is too large: 9000. This model supports at most 4096 completion tokens',
      },
      answer,
    ]);
    const body = { model: 'm', max_tokens: 9_000, reasoning: { max_tokens: 8_000 }, messages: history(2) };
    await openai(session).chat.completions.create(body as never);
    expect(server.received.at(-1)!.body).toMatchObject({ max_tokens: 4_096, reasoning: { max_tokens: 2_048 } });
  });
});
