import { toolCallInput, toolCalls } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { aiSdk, anthropic, bedrock, type Codec, gemini, ollama, openaiResponses, shareGpt } from '../src/index.ts';

/** Call input nested too deeply for recursive functions. Models may write such input. */
const written = `{"value":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
const input = (): unknown => JSON.parse(written);

const conversations: readonly (readonly [string, Codec<never>, unknown])[] = [
  [
    'anthropic',
    anthropic as Codec<never>,
    {
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'write', input: input() }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] },
      ],
    },
  ],
  [
    'gemini',
    gemini as Codec<never>,
    {
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'write', args: input() } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'write', response: { value: input() } } }] },
      ],
    },
  ],
  [
    'bedrock',
    bedrock as Codec<never>,
    {
      messages: [
        { role: 'user', content: [{ text: 'Go.' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'write', input: input() } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ json: input() }] } }] },
      ],
    },
  ],
  [
    'ollama',
    ollama as Codec<never>,
    {
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'write', arguments: input() } }] },
        { role: 'tool', content: 'done', tool_name: 'write' },
      ],
    },
  ],
  [
    'aiSdk',
    aiSdk as Codec<never>,
    {
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'write', input: input() }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName: 'write', output: { type: 'json', value: input() } },
          ],
        },
      ],
    },
  ],
  [
    'openaiResponses',
    openaiResponses as Codec<never>,
    {
      input: [
        { role: 'user', content: 'Go.' },
        { type: 'local_shell_call', id: 'ls_1', call_id: 'c', action: input(), status: 'completed' },
        { type: 'local_shell_call_output', id: 'c', output: 'done' },
      ],
    },
  ],
  [
    'shareGpt',
    shareGpt as Codec<never>,
    {
      conversations: [
        { from: 'human', value: 'Go.' },
        { from: 'gpt', value: `<tool_call>\n{"name": "write", "arguments": ${written}}\n</tool_call>` },
        { from: 'tool', value: '<tool_response>\ndone\n</tool_response>' },
      ],
    },
  ],
];

describe('deeply nested call input', () => {
  it.each(conversations)('is read, written, and read again by %s', (_name, codec, native) => {
    const decoded = codec.decode(native as never);
    const inputs = decoded.messages.flatMap((message) => toolCalls(message).map(toolCallInput));
    expect(inputs.some((text) => text.includes('['.repeat(50_000)))).toBe(true);
    const again = codec.decode(codec.fromMessages(decoded.messages));
    expect(again.messages.flatMap((message) => toolCalls(message).map(toolCallInput))).toEqual(inputs);
  });
});
