import { compressor } from '@palimpsest/compressor';
import { type ContextEngine, contentText, type EngineHost, type ToolSchema } from '@palimpsest/core';
import { createEngine, type EngineTools } from '@palimpsest/core/authoring';
import { createScriptedSummarizer, user, writeShortSummary } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextFetch } from '../../src/fetch.ts';
import { makeSession, turn, turns } from '../make-session.ts';

const recall: ToolSchema = {
  type: 'function',
  function: {
    name: 'recall_message',
    description: 'Returns an earlier message.',
    parameters: { type: 'object', properties: { index: { type: 'number' } } },
  },
};

/** A tool that returns a message of the conversation. */
const recallTools: EngineTools = {
  schemas: [recall],
  async handle(_name, { index }, { messages, signal }) {
    signal?.throwIfAborted();
    const message = messages[index as number];
    if (!message) throw new Error('a message that quotes the conversation');
    return JSON.stringify({ content: contentText(message.content) });
  },
};

/** The engine "compressor" with tools. */
function engineWith(tools: EngineTools | undefined): (host: EngineHost) => Promise<ContextEngine> {
  return async (host) => {
    const checked = compressor.options!['~standard'].validate({ threshold: 0.5, minimumThreshold: 0 });
    if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
    const own = { ...host, summarizer: createScriptedSummarizer(writeShortSummary) };
    const planner = await compressor.create(checked.value, own);
    return createEngine(tools ? { ...planner, tools } : planner, own, { name: 'with-tools', stateVersion: 1 });
  };
}

const messages = [...turn(1), ...turn(2), user('And now?')];
const read = { type: 'function', function: { name: 'read_file', description: 'Reads a file.' } };

describe('tools of an engine', () => {
  it('are returned before the first request', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools), recall: false });
    expect(await session.tools()).toEqual([recall]);
  });

  it('are an empty list for an engine without tools', async () => {
    const { session } = makeSession({ engine: engineWith(undefined), recall: false });
    expect(await session.tools()).toEqual([]);
    expect(await session.callTool('recall_message', {})).toBe(
      '{"error":"Unknown context engine tool: recall_message"}',
    );
  });

  it('answer calls from the whole conversation of the last request, also after a compaction', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    const long = turns(40);
    const request = await session.beforeRequest([...long, user('And now?')], { tools: await session.tools() });
    expect(request.info.compactions.length).toBeGreaterThan(0);
    const answer = JSON.parse(await session.callTool('recall_message', { index: 0 })) as { content: string };
    expect(answer.content).toBe(contentText(long[0]!.content));
  });

  it('answer calls from a given conversation', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    const answer = await session.callTool('recall_message', { index: 0 }, { messages: [user('Hello')] });
    expect(answer).toBe('{"content":"Hello"}');
  });

  it('accept arguments as the JSON text that a model writes', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    const context = { messages: [user('Hello')] };
    expect(await session.callTool('recall_message', '{"index":0}', context)).toBe('{"content":"Hello"}');
    const refused = '{"error":"The arguments of recall_message are not a JSON object."}';
    for (const text of ['{"index":', '[0]', '"0"', 'null'])
      expect(await session.callTool('recall_message', text, context)).toBe(refused);
  });

  it('answer an unknown tool with an error for the model', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    expect(await session.callTool('x', {})).toBe('{"error":"Unknown context engine tool: x"}');
  });

  it('always answer with a JSON object, whatever the model calls', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constant('recall_message')),
        fc.oneof(fc.string(), fc.json(), fc.dictionary(fc.string(), fc.jsonValue())),
        async (name, input) => {
          const answer: unknown = JSON.parse(await session.callTool(name, input as Record<string, unknown>));
          expect(typeof answer).toBe('object');
        },
      ),
    );
  });

  it('answer a failure without the text of the error, which may quote the conversation', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    expect(await session.callTool('recall_message', { index: 7 })).toBe(
      '{"error":"Context engine tool recall_message failed: Error"}',
    );
  });

  it('pass the abort of the caller on', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    const signal = AbortSignal.abort(new Error('stopped by the user'));
    await expect(session.callTool('recall_message', { index: 0 }, { signal })).rejects.toThrow('stopped by the user');
  });

  it('can be called by a hook while a compaction runs', async () => {
    const answers: string[] = [];
    const { session } = makeSession({
      engine: engineWith(recallTools),
      hooks: {
        beforeCompaction: async ({ messages: seen }) => {
          answers.push(await session.callTool('recall_message', { index: 0 }, { messages: seen }));
          return null;
        },
      },
    });
    const long = turns(40);
    await session.beforeRequest([...long, user('And now?')]);
    expect(answers.length).toBeGreaterThan(0);
    expect(answers[0]).toContain('Request 0');
  });
});

describe('names of tools', () => {
  const { name, description, parameters } = recall.function;
  const other = 'Searches the notes of the user.';

  it.each([
    ['chat completions', recall],
    ['Responses', { type: 'function', name, description, parameters }],
    ['Anthropic', { name, description, input_schema: parameters }],
    ['Gemini', { functionDeclarations: [{ name, description, parameters }] }],
  ])("accept the engine's own declaration in the format of %s", async (_format, declared) => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    const { info } = await session.beforeRequest(messages, { tools: [read, declared] });
    expect(info.decision).not.toBeNull();
  });

  it.each([
    ['chat completions', { type: 'function', function: { name, description: other } }],
    ['Responses', { type: 'function', name, description: other }],
    ['Anthropic', { name, description: other, input_schema: {} }],
    ['Gemini', { functionDeclarations: [{ name, description: other }] }],
  ])("refuse a tool of the request with the name of one of the engine's, in the format of %s", async (_format, own) => {
    const { session, events } = makeSession({ engine: engineWith(recallTools) });
    for (const tools of [
      [read, own],
      [recall, own],
      [own, recall],
    ])
      await expect(session.beforeRequest(messages, { tools })).rejects.toMatchObject({
        code: 'OPTION_INVALID',
        message: expect.stringMatching(
          /tools\[\d\]: "recall_message" is also the name of a tool of the context engine/,
        ),
        details: { issues: [{ path: expect.stringMatching(/^tools\[\d\]$/), message: expect.any(String) }] },
      });
    expect(events.some(({ type }) => type === 'request-passed-through')).toBe(false);
  });

  it('refuse a second tool with the same description', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    await expect(session.beforeRequest(messages, { tools: [recall, recall] })).rejects.toThrow(
      'tools[1]: "recall_message" is also the name of a tool',
    );
  });

  it('are not restricted for an engine without tools, nor is the shape of a declaration', async () => {
    const none = makeSession({ engine: engineWith(undefined) }).session;
    const some = makeSession({ engine: engineWith(recallTools) }).session;
    const odd = [null, 7, 'recall_message', {}, { function: null }, { name: 7 }, { functionDeclarations: [null] }];
    expect((await none.beforeRequest(messages, { tools: [recall, recall] })).info.decision).not.toBeNull();
    expect((await some.beforeRequest(messages, { tools: odd })).info.decision).not.toBeNull();
  });

  it('are checked behind a fetch, too', async () => {
    const { session } = makeSession({ engine: engineWith(recallTools) });
    const fetch = contextFetch(session, { fetch: async () => Response.json({ choices: [] }) });
    const send = (tools: readonly unknown[]): Promise<Response> =>
      fetch('https://api.test/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages, tools }),
      });
    expect((await send([read, ...(await session.tools())])).status).toBe(200);
    await expect(send([{ type: 'function', function: { name, description: other } }])).rejects.toThrow(
      'Rename your own tool.',
    );
  });
});
