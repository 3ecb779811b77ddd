import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModel, type ModelMessage, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { type ContextMiddlewareOptions, contextStep } from '../../src/ai-sdk.ts';
import { contextFetch, type FetchFunction } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { filler, makeSession, type TestSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

globalThis.AI_SDK_LOG_WARNINGS = false;

const answer: Behaviour = { kind: 'answer', text: 'An answer.', promptTokens: 2_400, completionTokens: 7 };
let made: TestSession;
beforeEach(() => {
  made = makeSession();
  server.play(() => answer);
});

const system = 'You are a coding agent.';
const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => filler(200, path),
  }),
} satisfies ToolSet;

/** The models of the AI SDK's own providers, on the loopback server. */
const models: Readonly<Record<string, (fetch?: FetchFunction) => LanguageModel>> = {
  'openai, chat': (fetch) =>
    createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl, ...(fetch ? { fetch } : {}) }).chat('m'),
  'openai, responses': (fetch) =>
    createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl, ...(fetch ? { fetch } : {}) }).responses('m'),
  'openai-compatible': (fetch) =>
    createOpenAICompatible({
      name: 'local',
      apiKey: 'test',
      baseURL: server.openaiUrl,
      includeUsage: true,
      ...(fetch ? { fetch } : {}),
    })('m'),
  anthropic: (fetch) =>
    createAnthropic({ apiKey: 'test', baseURL: `${server.anthropicUrl}/v1`, ...(fetch ? { fetch } : {}) })('m'),
};

const providerOptions = { openai: { store: false } };

function history(turns: number): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (let index = 0; index < turns; index++) {
    const call = { toolCallId: `call_${index}`, toolName: 'read_file' };
    messages.push(
      { role: 'user', content: `Request ${index}: please look at file ${index}.` },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `src/${index}.ts` } }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value: filler(200, index) } }],
      },
      { role: 'assistant', content: `File ${index} computes values.` },
    );
  }
  return [...messages, { role: 'user', content: 'And now?' }];
}

describe.each(Object.entries(models))('the AI SDK on %s', (_, model) => {
  it('prepares each step with the session, and reports its usage', async () => {
    server.play((_request, number) =>
      number === 0
        ? {
            kind: 'answer',
            text: 'Reading.',
            calls: [{ id: 'call_x', name: 'read_file', arguments: '{"path":"src/x.ts"}' }],
            promptTokens: 3_456,
            completionTokens: 9,
          }
        : answer,
    );
    const messages = history(30);
    const before = JSON.stringify(messages);
    const { text, steps } = await generateText({
      model: model(),
      system,
      tools,
      messages,
      providerOptions,
      stopWhen: stepCountIs(5),
      maxRetries: 0,
      prepareStep: contextStep(made.session),
    });
    expect(text).toBe('An answer.');
    expect(steps.length).toBe(2);
    expect(JSON.stringify(messages)).toBe(before);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(made.session.records().length).toBe(1);
    expect(made.summarizer.calls.length).toBe(1);
    expect(server.received[0]!.text).not.toContain('0:3 const value_3');
    expect(server.received[1]!.text).toContain('And now?');
    expect(server.received[1]!.text).toContain('src/x.ts:3 const value_3');
    expect((await made.session.engine()).state.lastPromptTokens).toBe(2_400);
  });

  it('does the same behind contextFetch, with streaming and a refused request', async () => {
    made = makeSession({ window: 64_000 });
    server.play(({ protocol }, number) =>
      number > 0
        ? answer
        : {
            kind: 'status',
            status: 400,
            ...(protocol === 'anthropic' ? {} : { code: 'context_length_exceeded' }),
            message:
              protocol === 'anthropic'
                ? 'prompt is too long: 9700 tokens > 6000 maximum'
                : "This model's maximum context length is 6000 tokens. However, your messages resulted in 9700 tokens.",
          },
    );
    const result = streamText({
      model: model(contextFetch(made.session)),
      system,
      tools,
      messages: history(30),
      maxOutputTokens: 500,
      providerOptions,
      maxRetries: 0,
    });
    // Version 5 sends a stream only to those who read it.
    await result.consumeStream();
    expect(await result.text).toBe('An answer.');
    expect(server.received.length).toBe(2);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(made.session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);
    expect((await made.session.engine()).state.lastPromptTokens).toBe(2_400);
  });
});

describe('contextStep', () => {
  const ask = (session: Session, turns: number, model: LanguageModel, options?: ContextMiddlewareOptions) =>
    generateText({
      model,
      system,
      messages: history(turns),
      maxRetries: 0,
      prepareStep: contextStep(session, options),
    });

  it('recovers from a refusal', async () => {
    made = makeSession({ window: 64_000 });
    const message =
      "This model's maximum context length is 6000 tokens. However, your messages resulted in 9700 tokens.";
    server.play((_request, number) =>
      number > 0 ? answer : { kind: 'status', status: 400, code: 'context_length_exceeded', message },
    );
    const { text } = await ask(made.session, 30, models['openai, chat']!());
    expect(text).toBe('An answer.');
    expect(made.session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);
  });

  it('sends a system prompt that a hook rebuilt', async () => {
    const { session } = makeSession({ hooks: { afterCompaction: () => ({ system: 'You are a patient agent.' }) } });
    await ask(session, 30, models['openai, chat']!());
    expect(server.received.at(-1)!.text).toContain('You are a patient agent.');
    expect(server.received.at(-1)!.text).not.toContain(system);
  });

  it('follows the model of a step', async () => {
    const { session } = makeSession({ window: 100_000 });
    const { chat } = createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl });
    const model = (id: string) => (id === 'small' ? { id, contextLength: 8_000 } : undefined);
    await ask(session, 30, chat('large'), { model });
    expect(session.records()).toEqual([]);
    await ask(session, 30, chat('small'), { model });
    expect(session.records().length).toBe(1);
  });

  it('takes a model by its name', async () => {
    const { chat } = createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl });
    const languageModel = vi.fn((id: string) => chat(id));
    const { specificationVersion } = chat('named');
    vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', { specificationVersion, languageModel });
    const { text } = await ask(made.session, 1, 'named').finally(() => vi.unstubAllGlobals());
    expect(text).toBe('An answer.');
    expect(languageModel).toHaveBeenLastCalledWith('named');
    expect((await made.session.engine()).state.lastPromptTokens).toBe(2_400);
  });
});
