import { describe, expect, it } from 'vitest';
import {
  answerReader,
  appendItems,
  type Body,
  readUsage,
  type WireFormat,
  wireAt,
  wireFormats,
  wireNamed,
} from '../src/wire.ts';

const encoder = new TextEncoder();

const addresses: Readonly<Record<WireFormat, string>> = {
  'openai-chat': 'https://gateway.example/openai/v1/chat/completions',
  'openai-responses': 'https://x.openai.azure.com/openai/v1/responses',
  anthropic: 'https://api.anthropic.com/v1/messages',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent',
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-v1%3A0/converse',
  'bedrock-invoke':
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-v1%3A0/invoke',
  ollama: 'http://127.0.0.1:11434/api/chat',
};

const anthropicAnswers = {
  content: [{ type: 'text', text: 'Nothing.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 2, cache_read_input_tokens: 8, output_tokens: 2 },
};

const answers: Readonly<Record<WireFormat, Body>> = {
  'openai-chat': {
    choices: [{ message: { role: 'assistant', content: 'Nothing.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  },
  'openai-responses': {
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nothing.' }] }],
    usage: { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 8 } },
  },
  anthropic: anthropicAnswers,
  'bedrock-invoke': anthropicAnswers,
  gemini: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Nothing.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, thoughtsTokenCount: 1, totalTokenCount: 12 },
  },
  bedrock: {
    output: { message: { role: 'assistant', content: [{ text: 'Nothing.' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 2, cacheReadInputTokens: 8, outputTokens: 2, totalTokens: 12 },
  },
  ollama: {
    message: { role: 'assistant', content: 'Nothing.' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 10,
    eval_count: 2,
  },
};

const anthropicForbidding = [
  { tool_choice: { type: 'any' } },
  { tool_choice: { type: 'tool', name: 'read' } },
  { output_config: { format: { type: 'json_schema', schema: {} } } },
  { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  { mcp_servers: [] },
  { stop_sequences: ['END'] },
];

const forbidding: Readonly<Record<WireFormat, readonly Body[]>> = {
  'openai-chat': [
    { n: 2 },
    { tool_choice: 'required' },
    { tool_choice: { type: 'function', function: { name: 'read' } } },
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } } },
    { response_format: { type: 'json_object' } },
    { web_search_options: {} },
    { stop: ['END'] },
  ],
  'openai-responses': [
    { background: true },
    { tool_choice: 'required' },
    { text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
    { tools: [{ type: 'web_search' }] },
  ],
  anthropic: anthropicForbidding,
  'bedrock-invoke': anthropicForbidding,
  gemini: [
    { generationConfig: { candidateCount: 2 } },
    { generationConfig: { responseMimeType: 'application/json' } },
    { generation_config: { response_mime_type: 'text/x.enum' } },
    { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } },
    { generationConfig: { stopSequences: ['END'] } },
    { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    { tools: [{ googleSearch: {} }] },
  ],
  bedrock: [
    { toolConfig: { toolChoice: { any: {} } } },
    { toolConfig: { toolChoice: { tool: { name: 'read' } } } },
    { toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] } },
    { outputConfig: { textFormat: { type: 'json_schema', structure: {} } } },
    { inferenceConfig: { stopSequences: ['END'] } },
  ],
  ollama: [{ format: 'json' }, { format: { type: 'object' } }, { options: { stop: ['END'] } }],
};

const anthropicWithouttools = [
  { tool_choice: { type: 'tool', name: 'read' } },
  { output_config: { format: { type: 'json_schema', schema: {} } } },
];

/** Bodies to which no tools may be added whose calls the client does not see. */
const withoutTools: Readonly<Record<WireFormat, readonly Body[]>> = {
  'openai-chat': [
    { n: 2 },
    { functions: [] },
    { tool_choice: { type: 'function', function: { name: 'read' } } },
    { response_format: { type: 'json_object' } },
  ],
  'openai-responses': [
    { background: true },
    { tool_choice: { type: 'function', name: 'read' } },
    { tool_choice: { type: 'web_search' } },
    { text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
  ],
  anthropic: anthropicWithouttools,
  'bedrock-invoke': anthropicWithouttools,
  gemini: [
    { generationConfig: { candidateCount: 2 } },
    { generationConfig: { responseMimeType: 'application/json' } },
    { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } } },
    { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } },
    { tools: [{ googleSearch: {} }] },
  ],
  bedrock: [
    { toolConfig: { toolChoice: { tool: { name: 'read' } } } },
    { outputConfig: { textFormat: { type: 'json_schema', structure: {} } } },
  ],
  ollama: [{ format: 'json' }],
};

const anthropicPlaintools = [{ name: 'read', input_schema: {} }];

const plainTools: Readonly<Record<WireFormat, readonly Body[]>> = {
  'openai-chat': [{ type: 'function', function: { name: 'read' } }],
  'openai-responses': [{ type: 'function', name: 'read' }],
  anthropic: anthropicPlaintools,
  'bedrock-invoke': anthropicPlaintools,
  gemini: [{ functionDeclarations: [{ name: 'read' }] }],
  bedrock: [{ toolSpec: { name: 'read' } }],
  ollama: [{ type: 'function', function: { name: 'read' } }],
};

const anthropicWithoutcalls = { tool_choice: { type: 'none' } };

/** How calls are forbidden. */
const withoutCalls: Readonly<Record<WireFormat, Body>> = {
  'openai-chat': { tool_choice: 'none' },
  'openai-responses': { tool_choice: 'none' },
  anthropic: anthropicWithoutcalls,
  'bedrock-invoke': anthropicWithoutcalls,
  gemini: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
  // They have no such choice.
  bedrock: {},
  ollama: {},
};

describe.each(wireFormats)('the wire %s', (format) => {
  const wire = wireNamed(format);
  const address = addresses[format];

  it('has the name under which it is registered, and is found by its address', () => {
    expect(wire.name).toBe(format);
    expect(wireAt(new URL(address))).toBe(wire);
    expect(wireAt(new URL(`${address}/batches`))).toBeNull();
  });

  it('appends its answer and a message of the user to a request, and keeps all other bytes', () => {
    const text = 'What is in "a.ts"?';
    const body: Body = {
      model: 'm',
      [wire.list]: [wire.userMessage(text)],
      stream: false,
      anthropic_version: 'bedrock-2023-05-31',
    };
    const sent = JSON.stringify(body);
    const reader = answerReader(wire, 'application/json')!;
    reader.read(encoder.encode(JSON.stringify(answers[format])));
    const answer = reader.end();
    expect(answer).toMatchObject({ text: 'Nothing.', isComplete: true, hasHostCalls: false, error: null });
    expect(answer.usage).toMatchObject({ promptTokens: 10, completionTokens: 2 });
    const next = appendItems(wire, body, sent, [...answer.items, wire.userMessage('Sum up.')])!;
    const end = sent.indexOf('],"stream"');
    expect(next.startsWith(sent.slice(0, end)) && next.endsWith(sent.slice(end))).toBe(true);
    const { messages } = wire.codec.decode(JSON.parse(next) as Body);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(wire.codec.validate(JSON.parse(next) as Body)).toEqual([]);
    // The same list twice: it is not known which one is the conversation.
    expect(appendItems(wire, body, sent + sent, [])).toBeNull();
  });

  it('says what forbids another message of the user', () => {
    expect(
      wire.obstaclesIn({ tools: plainTools[format], tool_choice: 'auto', stop: [], stop_sequences: null }).text,
    ).toBeNull();
    for (const body of forbidding[format])
      expect(wire.obstaclesIn(body).text, JSON.stringify(body)).toEqual(expect.any(String));
  });

  it('says what forbids tools whose calls the client does not see', () => {
    for (const choice of ['auto', 'none', 'required', { type: 'any' }, { type: 'none' }, { type: 'allowed_tools' }])
      expect(wire.obstaclesIn({ tool_choice: choice }).tools, JSON.stringify(choice)).toBeNull();
    for (const body of withoutTools[format])
      expect(wire.obstaclesIn(body).tools, JSON.stringify(body)).toEqual(expect.any(String));
  });

  it('declares tools in front of those of the client, and can forbid calls', () => {
    const schema = { type: 'function', function: { name: 'recall', parameters: {} } } as const;
    const own = wire.declareTool(schema);
    const given = plainTools[format][0]!;
    const body = wire.withTools({ tools: [given], toolConfig: { tools: [given] } }, [own]);
    const facts = wire.factsOf(body, new URL(address));
    expect(facts.tools).toMatchObject(
      [{ name: 'recall' }, { name: 'read' }].map((tool) =>
        format === 'openai-chat' || format === 'ollama' ? { function: tool } : tool,
      ),
    );
    expect(wire.withoutCalls(body)).toMatchObject(withoutCalls[format]);
  });
});

describe('a usage report', () => {
  it('is read in the format of any API and the AI SDK', () => {
    const cached = { promptTokens: 10, completionTokens: 2, cachedTokens: 8 };
    for (const usage of [
      { promptTokens: 10, completionTokens: 2, cachedTokens: 8 },
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } },
      { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 8 },
      { inputTokens: 10, outputTokens: 2, cachedInputTokens: 8 },
      { inputTokens: { total: 10, cacheRead: 8 }, outputTokens: { total: 2 } },
      { promptTokenCount: 10, candidatesTokenCount: 2, cachedContentTokenCount: 8 },
      { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 8 } },
      { input_tokens: 2, output_tokens: 2, cache_read_input_tokens: 8 },
      { inputTokens: 2, outputTokens: 2, cacheReadInputTokens: 8, totalTokens: 12 },
    ])
      expect(readUsage({ usage }), JSON.stringify(usage)).toMatchObject(cached);
    for (const none of [null, 'usage', {}, { usage: { output_tokens: 1 } }, { prompt_tokens: 0 }])
      expect(readUsage(none)).toBeNull();
  });
});
