import type { PreparedRequest } from '@palimpsest/session';
import type { PageSource } from '@palimpsest/session/adapter';
import { describe, expect, it } from 'vitest';
import { pageSource } from '../src/page-source.ts';

const model = { id: 'm', contextWindow: 100_000, maxTokens: 8_000 };
const answer = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' };

/** How the model of a request with this body can be asked. */
function sourceFor(payload: Readonly<Record<string, unknown>>): PageSource {
  return pageSource(
    async () => answer,
    { model, sessionId: 's', maxTokens: 8_000, payload, request: {} as PreparedRequest, headers: new Headers() },
    answer,
  );
}

describe('a page in the name of an answered request', () => {
  it.each([
    { messages: [], tool_choice: 'auto' },
    { messages: [], tool_choice: { type: 'auto' } },
    { messages: [], response_format: { type: 'text' } },
    { messages: [], toolConfig: { toolChoice: { auto: {} } } },
    { input: [], text: { format: { type: 'text' } } },
    { contents: [], config: { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } } },
  ])('continues from its body: %j', (payload) => {
    expect(sourceFor(payload).askCached).not.toBeNull();
  });

  it.each([
    { messages: [], tool_choice: 'required' },
    { messages: [], tool_choice: { type: 'tool', name: 'read' } },
    { messages: [], response_format: { type: 'json_object' } },
    { messages: [], toolConfig: { toolChoice: { any: {} } } },
    { input: [], text: { format: { type: 'json_schema' } } },
    { input: [], previous_response_id: 'resp_1' },
    { contents: [], config: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } } },
    { contents: [], config: { responseMimeType: 'application/json' } },
    { messages: [], stop: ['END'] },
    { messages: [], stop_sequences: ['END'] },
    { messages: [], inferenceConfig: { stopSequences: ['END'] } },
    { prompt: 'Hello' },
  ])('is asked for without its body, which does not allow a text: %j', (payload) => {
    expect(sourceFor(payload).askCached).toBeNull();
  });
});
