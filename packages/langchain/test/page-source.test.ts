import { AIMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { type AgentRequest, pageSource } from '../src/page-source.ts';

function canContinue({ model = {}, ...request }: Partial<AgentRequest>): boolean {
  const sent = { messages: [], systemPrompt: null, answer: new AIMessage('Done.'), maxTokens: undefined };
  const asked = { ...request, tools: [], model: { bindTools: () => null, ...(model as object) } };
  return pageSource(asked, sent).askCached !== null;
}

it.each([{}, { toolChoice: 'auto' }, { toolChoice: 'none' }, { responseFormat: null, modelSettings: { stop: [] } }])(
  'continues a request that allows a text: %j',
  (request) => expect(canContinue(request)).toBe(true),
);

it.each([
  { toolChoice: 'required' },
  { toolChoice: 'read_file' },
  { toolChoice: { type: 'function', function: { name: 'read_file' } } },
  { responseFormat: [] },
  { modelSettings: { stop: ['END'] } },
  { modelSettings: { response_format: { type: 'json_object' } } },
  { model: { stopSequences: ['END'] } },
  { model: { stop: ['END'] } },
])('continues no request that wants something else: %j', (request) => expect(canContinue(request)).toBe(false));
