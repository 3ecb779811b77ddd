import { PalimpsestError } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { summarizerByName } from '../../src/summarizers/by-name.ts';

const environment = { OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: 'two' };

it('creates the summarizer with the given name', () => {
  expect(summarizerByName('extractive', { environment: {} })).toMatchObject({ offline: true });
  expect(summarizerByName('openai:gpt-5-mini', { environment }).id).toBe('openai:gpt-5-mini');
  expect(summarizerByName('anthropic:claude-haiku-4-5', { environment, contextLength: 200_000 })).toMatchObject({
    id: 'anthropic:claude-haiku-4-5',
    contextLength: 200_000,
  });
  // Model names of compatible servers may contain colons.
  expect(summarizerByName('openai:qwen3:8b', { environment }).id).toBe('openai:qwen3:8b');
});

it.each([
  ['gpt', /summarizer: expected extractive, openai:MODEL or anthropic:MODEL; given: "gpt"/],
  ['', /expected extractive, openai:MODEL or anthropic:MODEL; given: /],
  ['openai:', /expected extractive, openai:MODEL or anthropic:MODEL; given: /],
  ['toString:x', /expected extractive, openai:MODEL or anthropic:MODEL; given: /],
  ['anthropic:claude-haiku-4-5', /the key of "anthropic:claude-haiku-4-5" in ANTHROPIC_API_KEY; given: nothing/],
  ['openai:m', /the key of "openai:m" in OPENAI_API_KEY; given: nothing/],
])('rejects %j and names what to use instead', (name, words) => {
  const call = (): unknown => summarizerByName(name, { environment: { OPENAI_API_KEY: ' ' } });
  expect(call).toThrow(PalimpsestError);
  expect(call).toThrow(words);
});

it('uses the key of the environment, and the given server or that of the environment', async () => {
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
