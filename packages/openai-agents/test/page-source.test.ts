import type { Model, ModelRequest } from '@openai/agents';
import { expect, it } from 'vitest';
import { pageSource } from '../src/page-source.ts';

function canContinue(given: object): boolean {
  const request = {
    input: [],
    modelSettings: {},
    tools: [],
    handoffs: [],
    outputType: 'text',
    tracing: false,
    ...given,
  };
  return pageSource({} as Model, request as ModelRequest, []).askCached !== null;
}

it.each([{}, { modelSettings: { toolChoice: 'auto', providerData: { stop: null } } }])(
  'continues a request that allows a text: %j',
  (request) => expect(canContinue(request)).toBe(true),
);

it.each([
  { modelSettings: { toolChoice: 'required' } },
  { modelSettings: { toolChoice: 'read_file' } },
  { outputType: { type: 'json_schema', name: 'a', strict: true, schema: {} } },
  { modelSettings: { providerData: { stop: ['END'] } } },
  { modelSettings: { providerData: { response_format: { type: 'json_object' } } } },
])('continues no request that wants something else: %j', (request) => expect(canContinue(request)).toBe(false));
