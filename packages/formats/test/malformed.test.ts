import { PalimpsestError } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { type AnyConversation, codecs } from './every-codec.ts';

const [anthropic, responses, aiSdk, shareGpt, , pi, gemini, bedrock, ollama] = codecs;

/** Invalid conversations, with index and field of the error. */
const rows: readonly (readonly [codec: (typeof codecs)[number], native: unknown, index: number, field: string])[] = [
  [anthropic!, { messages: 'x' }, -1, 'messages'],
  [anthropic!, { system: 7, messages: [] }, -1, 'system'],
  [anthropic!, { messages: [{ role: 'user', content: 'a' }, null] }, 1, ''],
  [anthropic!, { messages: [{ role: 'tool', content: 'a' }] }, 0, 'role'],
  [anthropic!, { messages: [{ role: 'user', content: 7 }] }, 0, 'content'],
  [anthropic!, { messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 0, 'content[0].text'],
  [anthropic!, { messages: [{ role: 'user', content: [{ text: 'a' }] }] }, 0, 'content[0].type'],
  [anthropic!, { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }, 0, 'content[0].tool_use_id'],
  [
    anthropic!,
    { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [7] }] }] },
    0,
    'content[0].content[0]',
  ],
  [responses!, { input: 7 }, -1, 'input'],
  [responses!, { input: [{ type: 'function_call', call_id: 'a', name: 'b' }] }, 0, 'arguments'],
  [responses!, { input: [{ role: 'robot', content: 'a' }] }, 0, 'role'],
  [responses!, { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, 0, 'content[0].text'],
  [responses!, { input: [{ type: 'function_call_output', call_id: 'a' }] }, 0, 'output'],
  [aiSdk!, { messages: {} }, -1, 'messages'],
  [aiSdk!, { messages: [{ role: 'tool', content: 'a' }] }, 0, 'content'],
  [
    aiSdk!,
    { messages: [{ role: 'assistant', content: [{ type: 'tool-call', toolName: 'a' }] }] },
    0,
    'content[0].toolCallId',
  ],
  [
    aiSdk!,
    { messages: [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'b', output: 'c' }] }] },
    0,
    'content[0].output',
  ],
  [shareGpt!, {}, -1, 'conversations'],
  [
    shareGpt!,
    {
      conversations: [
        { from: 'human', value: 'a' },
        { from: 'nobody', value: 'b' },
      ],
    },
    1,
    'from',
  ],
  [shareGpt!, { conversations: [{ from: 'human', value: null }] }, 0, 'value'],
  [pi!, { messages: {} }, -1, 'messages'],
  [pi!, { messages: [{ content: 'a' }] }, 0, 'role'],
  [pi!, { messages: [{ role: 'toolResult', content: [] }] }, 0, 'toolCallId'],
  [pi!, { messages: [{ role: 'assistant', content: [{ type: 'toolCall', id: 'a' }] }] }, 0, 'content[0].name'],
  [gemini!, { contents: {} }, -1, 'contents'],
  [gemini!, { systemInstruction: 'x', contents: [] }, -1, 'systemInstruction'],
  [gemini!, { contents: [null] }, 0, ''],
  [gemini!, { contents: [{ role: 'assistant', parts: [] }] }, 0, 'role'],
  [gemini!, { contents: [{ parts: 'x' }] }, 0, 'parts'],
  [gemini!, { contents: [{ parts: [7] }] }, 0, 'parts[0]'],
  [gemini!, { contents: [{ parts: [{ text: 7 }] }] }, 0, 'parts[0].text'],
  [gemini!, { contents: [{ role: 'model', parts: [{ functionCall: {} }] }] }, 0, 'parts[0].functionCall.name'],
  [gemini!, { contents: [{ parts: [{ function_response: 7 }] }] }, 0, 'parts[0].functionResponse'],
  [bedrock!, {}, -1, 'messages'],
  [bedrock!, { system: 'x', messages: [] }, -1, 'system'],
  [bedrock!, { messages: [7] }, 0, ''],
  [bedrock!, { messages: [{ role: 'system', content: [] }] }, 0, 'role'],
  [bedrock!, { messages: [{ role: 'user', content: 'a' }] }, 0, 'content'],
  [bedrock!, { messages: [{ role: 'user', content: [{ text: 7 }] }] }, 0, 'content[0].text'],
  [bedrock!, { messages: [{ role: 'user', content: [{ toolUse: 7 }] }] }, 0, 'content[0].toolUse'],
  [bedrock!, { messages: [{ role: 'user', content: [{ toolResult: {} }] }] }, 0, 'content[0].toolResult.toolUseId'],
  [ollama!, {}, -1, 'messages'],
  [ollama!, { messages: [null] }, 0, ''],
  [ollama!, { messages: [{ role: 'model', content: 'a' }] }, 0, 'role'],
  [ollama!, { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] }, 0, 'content'],
  [ollama!, { messages: [{ role: 'user', content: 'a', images: [7] }] }, 0, 'images'],
  [ollama!, { messages: [{ role: 'assistant', thinking: 7 }] }, 0, 'thinking'],
  [ollama!, { messages: [{ role: 'assistant', tool_calls: {} }] }, 0, 'tool_calls'],
  [ollama!, { messages: [{ role: 'assistant', tool_calls: [{}] }] }, 0, 'tool_calls[0]'],
  [
    ollama!,
    { messages: [{ role: 'assistant', tool_calls: [{ function: { arguments: {} } }] }] },
    0,
    'tool_calls[0].function.name',
  ],
  [
    ollama!,
    { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }] },
    0,
    'tool_calls[0].function.arguments',
  ],
];

describe('a conversation that cannot be read', () => {
  it.each(rows)('is rejected with index and field (%#)', (codec, native, index, field) => {
    let refused: unknown;
    try {
      codec.decode(native as AnyConversation);
    } catch (error) {
      refused = error;
    }
    expect(PalimpsestError.is(refused) && refused.code).toBe('MESSAGES_INVALID');
    expect((refused as PalimpsestError).details).toEqual({ format: codec.name, index, field });
  });
});

describe('a type that is named like a property of every object', () => {
  it.each(['constructor', 'toString', '__proto__'])('%s is an unknown type', (type) => {
    const part = { type, text: 'a' };
    const read = (): unknown[] => [
      responses!.decode({ input: [part] } as unknown as AnyConversation),
      anthropic!.decode({ messages: [{ role: 'user', content: [part] }] } as unknown as AnyConversation),
      aiSdk!.decode({ messages: [{ role: 'user', content: [part] }] } as unknown as AnyConversation),
    ];
    expect(read).not.toThrow();
  });
});
