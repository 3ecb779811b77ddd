import { type WireFormat, wireFormats, wireNamed } from '@palimpsest/formats/wire';
import { describe, expect, it } from 'vitest';
import { type ContextFetchOptions, contextFetch } from '../../src/fetch.ts';
import type { SessionOptions } from '../../src/options/session-options.ts';
import { filler, makeSession, type TestSession } from '../make-session.ts';

type Json = Record<string, unknown>;

const paths: Readonly<Record<WireFormat, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/m:generateContent',
  bedrock: '/model/m/converse',
  'bedrock-invoke': '/model/m/invoke',
  ollama: '/api/chat',
};
const replies: Readonly<Record<WireFormat, Json>> = {
  'openai-chat': { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes.' } }] },
  'openai-responses': {
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }],
  },
  anthropic: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], stop_reason: 'end_turn' },
  gemini: { candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }] },
  bedrock: { output: { message: { role: 'assistant', content: [{ text: 'Yes.' }] } }, stopReason: 'end_turn' },
  'bedrock-invoke': { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], stop_reason: 'end_turn' },
  ollama: { message: { role: 'assistant', content: 'Yes.' }, done: true },
};
const parameters = { type: 'object', properties: {} };
const ownTools: Readonly<Record<WireFormat, Json>> = {
  'openai-chat': { type: 'function', function: { name: 'read_file', parameters } },
  'openai-responses': { type: 'function', name: 'read_file', parameters },
  anthropic: { name: 'read_file', input_schema: parameters },
  gemini: { functionDeclarations: [{ name: 'read_file', parametersJsonSchema: parameters }] },
  bedrock: { toolSpec: { name: 'read_file', inputSchema: { json: parameters } } },
  'bedrock-invoke': { name: 'read_file', input_schema: parameters },
  ollama: { type: 'function', function: { name: 'read_file', parameters } },
};
/** What limits an answer. */
const capOf: Readonly<Record<WireFormat, (tokens: number) => Json>> = {
  'openai-chat': (tokens) => ({ max_tokens: tokens }),
  'openai-responses': (tokens) => ({ max_output_tokens: tokens }),
  anthropic: (tokens) => ({ max_tokens: tokens }),
  gemini: (tokens) => ({ generationConfig: { maxOutputTokens: tokens } }),
  bedrock: (tokens) => ({ inferenceConfig: { maxTokens: tokens } }),
  'bedrock-invoke': (tokens) => ({ max_tokens: tokens, anthropic_version: 'bedrock-2023-05-31' }),
  ollama: (tokens) => ({ options: { num_predict: tokens }, stream: false }),
};

/** A message as the API takes it. */
function written(format: WireFormat, { role, content }: Json): Json {
  if (format !== 'gemini' && format !== 'bedrock') return { role, content };
  const parts = typeof content === 'string' ? [{ text: content }] : (content as Json[]).map(({ text }) => ({ text }));
  if (format === 'bedrock') return { role, content: parts };
  return { role: role === 'user' ? role : 'model', parts };
}

interface Agent {
  readonly made: TestSession;
  readonly sent: Json[];
  /** Sends messages with other fields, and returns the names of the tools that the provider got. */
  ask(messages: readonly Json[], fields?: Json): Promise<readonly string[]>;
}

/** @param provider answers a request; an answer by default */
function agentOn(
  format: WireFormat,
  options: { readonly recall?: SessionOptions['recall']; readonly fetch?: ContextFetchOptions['recall'] } = {},
  provider: (body: Json) => Response | null = () => null,
): Agent {
  const made = makeSession({ window: 5_000, ...('recall' in options ? { recall: options.recall } : {}) });
  const sent: Json[] = [];
  const fetch = contextFetch(made.session, {
    recall: options.fetch,
    fetch: async (input, init) => {
      const [, model] = /models?\/([^:/]+)/.exec(String(input)) ?? [];
      const body = { ...(model === undefined ? {} : { model }), ...(JSON.parse(String(init!.body)) as Json) };
      sent.push(body);
      return provider(body) ?? Response.json(replies[format]);
    },
  });
  return {
    made,
    sent,
    async ask(messages, fields = {}) {
      const { model = 'm', ...given } = fields;
      const rest = format === 'bedrock' ? withToolConfig(given) : given;
      const inPath = format === 'gemini' || format.startsWith('bedrock');
      const list = messages.map((message) => written(format, message));
      const body = { ...(inPath ? {} : { model }), ...capOf[format](500), [wireNamed(format).list]: list, ...rest };
      const path = paths[format].replace(/(models?\/)m/, `$1${String(model)}`);
      const reply = await fetch(`https://api.test${path}`, { method: 'POST', body: JSON.stringify(body) });
      await reply.text();
      return namesIn(sent.at(-1)!);
    },
  };
}

/** The tools where `Converse` has them. */
function withToolConfig({ tools, ...fields }: Json): Json {
  return tools ? { ...fields, toolConfig: { ...(fields.toolConfig as Json | undefined), tools } } : fields;
}

function namesIn({ tools, toolConfig }: Json): readonly string[] {
  const given = tools ?? (toolConfig as Json | undefined)?.tools ?? [];
  return (given as Json[]).flatMap((tool) => {
    const declared = (tool.functionDeclarations ?? [tool.function ?? tool.toolSpec ?? tool]) as readonly Json[];
    return declared.map(({ name }) => name as string);
  });
}

const hello = [{ role: 'user', content: 'Hello' }];
/** A chat of which something has to be hidden. */
const long = [
  ...Array.from({ length: 30 }, (_, index) => [
    { role: 'user', content: `Show file ${index}.` },
    { role: 'assistant', content: filler(200, index) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];
const ours = ['recall', 'expand'];
const all = [...ours, 'read_file'];

const anthropicChoices = {
  kept: [{ tool_choice: { type: 'none' } }, { tool_choice: { type: 'any' } }, { tool_choice: { type: 'auto' } }],
  without: [
    { tool_choice: { type: 'tool', name: 'read_file' } },
    { output_config: { format: { type: 'json_schema', schema: {} } } },
  ],
};

/** Values of fields with which the tools stay, and with which they are not offered. */
const choices: Readonly<Record<WireFormat, { readonly kept: readonly Json[]; readonly without: readonly Json[] }>> = {
  ollama: {
    kept: [{ think: true }, { keep_alive: '10m' }],
    without: [{ format: 'json' }, { format: { type: 'object' } }],
  },
  'openai-chat': {
    kept: [
      { tool_choice: 'auto' },
      { tool_choice: 'none' },
      { tool_choice: 'required' },
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
      { response_format: { type: 'text' } },
    ],
    without: [
      { tool_choice: { type: 'function', function: { name: 'read_file' } } },
      { response_format: { type: 'json_object' } },
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } },
      { n: 2 },
    ],
  },
  'openai-responses': {
    kept: [
      { tool_choice: 'none' },
      { tool_choice: 'required' },
      { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [] } },
      { text: { format: { type: 'text' } } },
    ],
    without: [
      { tool_choice: { type: 'function', name: 'read_file' } },
      { text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
      { background: true },
    ],
  },
  anthropic: anthropicChoices,
  'bedrock-invoke': anthropicChoices,
  gemini: {
    kept: [
      { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
      { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      { generationConfig: { responseMimeType: 'text/plain' } },
    ],
    without: [
      { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } } },
      { generationConfig: { responseMimeType: 'application/json' } },
      { generationConfig: { candidateCount: 2 } },
    ],
  },
  bedrock: {
    kept: [{ toolConfig: { toolChoice: { any: {} } } }, { toolConfig: { toolChoice: { auto: {} } } }],
    without: [
      { toolConfig: { toolChoice: { tool: { name: 'read_file' } } } },
      { outputConfig: { textFormat: { type: 'json_schema', structure: {} } } },
    ],
  },
};

describe.each(wireFormats)('the tools of recall on %s', (format) => {
  const tools = [ownTools[format]];

  it('are in a request with tools, from the first one on, unless they are switched off', async () => {
    expect(await agentOn(format).ask(hello, { tools })).toEqual(all);
    expect(await agentOn(format, { recall: false }).ask(hello, { tools })).toEqual(['read_file']);
    expect(await agentOn(format, { fetch: false }).ask(hello, { tools })).toEqual(['read_file']);
  });

  it.each(choices[format].kept)('stay next to %j, so that the prompt begins like the others', async (fields) => {
    const { ask, sent } = agentOn(format);
    expect(await ask(hello, { tools, ...fields })).toEqual(all);
    expect(sent[0]).toMatchObject(fields);
  });

  it.each(choices[format].without)('are not added next to %j', async (fields) => {
    expect(await agentOn(format).ask(hello, { tools, ...fields })).toEqual(['read_file']);
    expect(await agentOn(format).ask(long, fields)).toEqual([]);
  });

  it('are not in side requests: probes of a login, titles, summaries', async () => {
    const { ask } = agentOn(format);
    expect(await ask(hello, { tools })).toEqual(all);
    expect(await ask(hello, { tools, ...capOf[format](1) })).toEqual(['read_file']);
    expect(await ask([{ role: 'user', content: 'Write a title for: Hello' }])).toEqual([]);
    // Also when the history is hidden: the agent summarizes or names it without tools.
    expect(await ask(long)).toEqual([]);
    const asked = 'Your task is to create a detailed summary of the conversation so far.';
    const reminder = {
      type: format === 'openai-responses' ? 'input_text' : 'text',
      text: '<system-reminder>x</system-reminder>',
    };
    expect(
      await ask([...hello, { role: 'user', content: [reminder, { ...reminder, text: asked }] }], { tools }),
    ).toEqual(['read_file']);
    expect(await ask(long, { tools })).toEqual(all);
  });

  it('are in a chat without tools once something is hidden from it', async () => {
    const { ask, made } = agentOn(format);
    expect(await ask(hello)).toEqual([]);
    expect(await ask(long)).toEqual(ours);
    expect(await ask([...long, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Sure?' }])).toEqual(
      ours,
    );
    expect(made.session.records()).toHaveLength(1);
  });

  const refusing: readonly (readonly [number, string])[] = [
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [404, 'No endpoints found that support tool use. Try disabling "recall".'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [400, "Invalid 'tools': array too long. Expected an array with maximum length 1, but got 3 instead."],
    [500, 'tools param requires --jinja flag'],
    [400, 'deepseek-reasoner does not support Function Calling'],
    [422, 'body.tools: Extra inputs are not permitted'],
  ];

  it.each(refusing)('are left out for a model that refuses them, now and later: %i %s', async (status, message) => {
    const provider = (body: Json): Response | null =>
      body.model === 'm' && namesIn(body).length > 1 ? Response.json({ error: { message } }, { status }) : null;
    const { ask, sent, made } = agentOn(format, {}, provider);
    expect(await ask(hello, { tools })).toEqual(['read_file']);
    expect(sent.map(namesIn)).toEqual([all, ['read_file']]);
    expect(await ask([...hello, ...hello], { tools })).toEqual(['read_file']);
    expect(sent).toHaveLength(3);
    expect(made.session.records()).toEqual([]);
    // Another model gets them.
    expect(await ask(hello, { tools, model: 'other' })).toEqual(all);
  });

  it('stay when a refusal has another reason, which is returned', async () => {
    const message = 'messages.1: tool results without a call';
    const { ask, sent } = agentOn(format, {}, () => Response.json({ error: { message } }, { status: 400 }));
    await ask(hello, { tools });
    expect(sent.map(namesIn)).toEqual([all, ['read_file']]);
    await ask(hello, { tools });
    expect(namesIn(sent[2]!)).toEqual(all);
  });
});
