import type { Body, WireFormat } from '../src/wire.ts';

export const addresses: Readonly<Record<WireFormat, string>> = {
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

export const answers: Readonly<Record<WireFormat, Body>> = {
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

export const forbidding: Readonly<Record<WireFormat, readonly Body[]>> = {
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

const anthropicWithoutTools = [
  { tool_choice: { type: 'tool', name: 'read' } },
  { output_config: { format: { type: 'json_schema', schema: {} } } },
];

/** Bodies to which no tools may be added whose calls the client does not see. */
export const withoutTools: Readonly<Record<WireFormat, readonly Body[]>> = {
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
  anthropic: anthropicWithoutTools,
  'bedrock-invoke': anthropicWithoutTools,
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

const anthropicPlainTools = [{ name: 'read', input_schema: {} }];

export const plainTools: Readonly<Record<WireFormat, readonly Body[]>> = {
  'openai-chat': [{ type: 'function', function: { name: 'read' } }],
  'openai-responses': [{ type: 'function', name: 'read' }],
  anthropic: anthropicPlainTools,
  'bedrock-invoke': anthropicPlainTools,
  gemini: [{ functionDeclarations: [{ name: 'read' }] }],
  bedrock: [{ toolSpec: { name: 'read' } }],
  ollama: [{ type: 'function', function: { name: 'read' } }],
};

const anthropicWithoutCalls = { tool_choice: { type: 'none' } };

/** How calls are forbidden. */
export const withoutCalls: Readonly<Record<WireFormat, Body>> = {
  'openai-chat': { tool_choice: 'none' },
  'openai-responses': { tool_choice: 'none' },
  anthropic: anthropicWithoutCalls,
  'bedrock-invoke': anthropicWithoutCalls,
  gemini: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
  // They have no such choice.
  bedrock: {},
  ollama: {},
};
