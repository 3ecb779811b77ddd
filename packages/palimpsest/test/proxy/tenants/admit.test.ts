import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { admit } from '../../../src/proxy/tenants/admit.ts';
import { defaultTenantLimits, type Tenant } from '../../../src/proxy/tenants/tenant.ts';
import { Tenants } from '../../../src/proxy/tenants/tenants.ts';
import { targetOf } from '../../../src/proxy/upstreams.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const tenant = (name: string, given: Partial<Tenant> = {}): Tenant => ({
  name,
  tokens: [sha256(name)],
  keys: {},
  ownKeys: undefined,
  limits: defaultTenantLimits,
  ...given,
});
const upstreams = {
  openai: new URL('https://api.openai.com/v1'),
  chatgpt: new URL('https://chatgpt.com/backend-api/codex'),
  anthropic: new URL('http://models.internal'),
  gemini: new URL('https://generativelanguage.googleapis.com'),
  vertex: null,
  bedrock: 'eu-west-1',
  ollama: null,
};
const tenants = await Tenants.open(async () => [
  tenant('plain'),
  tenant('free', { ownKeys: true }),
  tenant('bound', { ownKeys: false, keys: { openai: 'test-key' } }),
  tenant('keyed', { keys: { gemini: 'test-key', bedrock: 'test-key', vertex: 'test-key' } }),
  tenant('empty', { tokens: [sha256('')], keys: { openai: 'test-key' } }),
]);

/** What a request is sent with: its headers, or the type of the refusal. */
const sent = (path: string, headers: Readonly<Record<string, string>>, method = 'POST'): unknown => {
  const request = { method, headers } as unknown as IncomingMessage;
  const target = targetOf(upstreams, path, headers);
  if (!target) return 'no target';
  const admitted = admit(tenants, request, target);
  if ('refused' in admitted) return admitted.refused.type;
  const given = new Headers(headers);
  given.delete('x-palimpsest-token');
  const { pathname, search } = admitted.caller.authorize(given, target.url);
  return { ...Object.fromEntries(given), ...(path.includes('?') && { url: pathname + search }) };
};
const files = '/openai/v1/files';
const own = { authorization: 'Bearer own' };

describe("a client's own key", () => {
  it("is sent on to any path at a provider's public address, unless the operator forbids it", () => {
    expect(sent(files, { ...own, 'x-palimpsest-token': 'plain' })).toEqual(own);
    expect(sent(files, { ...own, 'x-palimpsest-token': 'bound' })).toBe('path_forbidden');
    expect(sent('/openai/v1/responses', { ...own, 'x-palimpsest-token': 'bound' })).toEqual({
      authorization: 'Bearer test-key',
    });
  });

  it("counts at a server of the operator's only if the operator says so", () => {
    expect(sent('/anthropic/v1/files', { ...own, 'x-palimpsest-token': 'plain' })).toBe('path_forbidden');
    expect(sent('/anthropic/v1/messages', { ...own, 'x-palimpsest-token': 'plain' })).toEqual({});
    expect(sent('/anthropic/v1/files', { ...own, 'x-palimpsest-token': 'free' })).toEqual(own);
    for (const headers of [{}, own, { 'api-key': 'own' }] as const)
      for (const path of ['/anthropic/api/pull', '/anthropic/v1/load_lora_adapter', '/anthropic/api/chat'])
        expect(sent(path, { ...headers, 'x-palimpsest-token': 'plain' })).toBe('path_forbidden');
  });

  it('is needed at a public address without one of the operator', () => {
    expect(sent(files, { 'x-palimpsest-token': 'free' })).toBe('no_provider_key');
  });
});

it("the operator's key goes to no region or project that the client chooses", () => {
  const signed = 'AWS4-HMAC-SHA256 Credential=A/20261128/cn-north-1/bedrock/aws4_request';
  const path = '/bedrock/model/m/converse';
  expect(sent(path, { authorization: signed, 'x-api-key': 'keyed' })).toBe('signature_forbidden');
  expect(sent(path, { authorization: 'Bearer keyed' })).toEqual({ authorization: 'Bearer test-key' });
  const vertex = '/vertex/v1/projects/p/locations/global/publishers/google/models/m:generateContent';
  expect(sent(vertex, { authorization: 'Bearer keyed' })).toBe('no_provider_key');
  const project = { 'x-goog-user-project': 'p', 'x-goog-api-key': 'keyed' };
  expect(sent('/gemini/v1beta/models/m:generateContent', project)).toEqual({ 'x-goog-api-key': 'test-key' });
});

it('a token in the address counts, and is not sent on', () => {
  const path = '/gemini/v1beta/models/m:generateContent';
  expect(sent(`${path}?key=keyed`, {})).toEqual({ 'x-goog-api-key': 'test-key', url: path.slice('/gemini'.length) });
});

it('a token of an empty text admits nobody', () => {
  for (const headers of [{}, { authorization: '' }, { authorization: 'Bearer ' }, { 'x-palimpsest-token': '' }])
    expect(sent('/openai/v1/responses', headers as Record<string, string>)).toBe('token_invalid');
});

it('a server on this machine that nobody named is not open', () => {
  expect(sent('/ollama/api/chat', { 'x-palimpsest-token': 'plain' })).toBe('no target');
});
