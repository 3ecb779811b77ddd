import type Anthropic from '@anthropic-ai/sdk';
import type { Content } from '@google/genai';
import type { ModelMessage } from 'ai';
import type OpenAI from 'openai';
import { expect, it } from 'vitest';
import { aiSdk, anthropic, gemini, openaiChat, openaiResponses } from '../src/index.ts';
import { untouched } from './every-codec.ts';

// The test is that this file compiles: the official types are accepted without a cast and returned as the same types.
it('accepts and returns the types of the official clients', () => {
  const messages: Anthropic.MessageCreateParams = {
    model: 'a-model',
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: 'Hello.' }],
  };
  const decodedMessages = anthropic.decode(messages);
  const backMessages: Anthropic.MessageCreateParams = anthropic.encode(
    decodedMessages,
    untouched(decodedMessages.messages),
  );
  expect(backMessages).toBe(messages);

  const response: OpenAI.Responses.ResponseCreateParams = {
    model: 'a-model',
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: 'Hello.' },
      { type: 'function_call_output', call_id: 'a', output: 'b' },
    ],
  };
  const decodedResponse = openaiResponses.decode(response);
  const backResponse: OpenAI.Responses.ResponseCreateParams = openaiResponses.encode(
    decodedResponse,
    untouched(decodedResponse.messages),
  );
  expect(backResponse).toBe(response);

  const chat: OpenAI.ChatCompletionCreateParams = { model: 'a-model', messages: [{ role: 'user', content: 'Hello.' }] };
  const decodedChat = openaiChat.decode(chat);
  const backChat: OpenAI.ChatCompletionCreateParams = openaiChat.encode(decodedChat, untouched(decodedChat.messages));
  expect(backChat).toBe(chat);

  const prompt: { system: string; messages: ModelMessage[] } = {
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hello.' }],
  };
  const decodedPrompt = aiSdk.decode(prompt);
  const backPrompt: { system: string; messages: ModelMessage[] } = aiSdk.encode(
    decodedPrompt,
    untouched(decodedPrompt.messages),
  );
  expect(backPrompt).toBe(prompt);

  const contents: { systemInstruction: Content; contents: Content[] } = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }],
  };
  const decodedContents = gemini.decode(contents);
  const backContents: { systemInstruction: Content; contents: Content[] } = gemini.encode(
    decodedContents,
    untouched(decodedContents.messages),
  );
  expect(backContents).toBe(contents);

  // @ts-expect-error a conversation of one dialect is not one of another
  expect(() => anthropic.decode({ conversations: [] })).toThrow(/messages/);
});
