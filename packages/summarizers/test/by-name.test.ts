import { PalimpsestError } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { startLoopbackServer } from '../../../test/loopback-server/index.ts';
import { summarizerByName } from '../src/by-name.ts';

const environment = { OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: 'two' };

it('gives the summarizer that a name stands for', () => {
  expect(summarizerByName('extractive', { environment: {} })).toMatchObject({ offline: true });
  expect(summarizerByName('openai:gpt-5-mini', { environment }).id).toBe('openai:gpt-5-mini');
  expect(summarizerByName('anthropic:claude-haiku-4-5', { environment, contextLength: 200_000 })).toMatchObject({
    id: 'anthropic:claude-haiku-4-5',
    contextLength: 200_000,
  });
  // What a compatible server calls its models may hold colons itself.
  expect(summarizerByName('openai:qwen3:8b', { environment }).id).toBe('openai:qwen3:8b');
});

it.each([
  ['gpt', /"gpt" is no summarizer; write extractive, openai:MODEL or anthropic:MODEL/],
  ['', /is no summarizer/],
  ['openai:', /is no summarizer/],
  ['toString:x', /is no summarizer/],
  ['anthropic:claude-haiku-4-5', /needs a key; set ANTHROPIC_API_KEY/],
  ['openai:m', /needs a key; set OPENAI_API_KEY/],
])('refuses %j and says what to write', (name, words) => {
  const call = (): unknown => summarizerByName(name, { environment: { OPENAI_API_KEY: ' ' } });
  expect(call).toThrow(PalimpsestError);
  expect(call).toThrow(words);
});

it('asks the server that the environment names, or rather the one it is given, with the key of the environment', async () => {
  const server = await startLoopbackServer();
  try {
    const elsewhere = 'http://127.0.0.1:9/v1';
    const material = {
      messages: [],
      previousSummary: null,
      template: { name: 'none', sections: [] },
      focusTopic: null,
    };
    for (const options of [
      { environment: { OPENAI_API_KEY: 'one\r\n', OPENAI_BASE_URL: ` ${server.openaiUrl}` } },
      { environment: { ...environment, OPENAI_BASE_URL: elsewhere }, baseURL: server.openaiUrl },
    ]) {
      server.play([{ kind: 'answer', text: 'Fine.' }]);
      const answer = await summarizerByName('openai:m', options).summarize({
        prompt: 'Go.',
        budgetTokens: 9,
        material,
      });
      expect(answer.text).toBe('Fine.');
      expect(server.received[0]!.headers.authorization).toBe('Bearer one');
    }
  } finally {
    await server.close();
  }
});
