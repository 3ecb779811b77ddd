import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bodyRefusal } from '../../../src/proxy/tenants/body-refusal.ts';

const responses = 'https://api.openai.com/v1/responses';
const gemini = 'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent';
const refusal = (url: string, body: string | object, headers: Readonly<Record<string, string>> = {}) => {
  const request = { method: 'POST', headers } as unknown as IncomingMessage;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return bodyRefusal(request, Buffer.from(text), { url: new URL(url) })?.type ?? null;
};

describe("a body with the operator's key", () => {
  it.each([
    [responses, { input: 'Hello', previous_response_id: 'resp_1' }],
    [responses, { input: 'Hello', conversation: { id: 'conv_1' } }],
    [responses, { input: [{ type: 'item_reference', id: 'rs_1' }] }],
    [`${responses}/compact`, { input: 'Hello', previous_response_id: 'resp_1' }],
    [gemini, { contents: [], cachedContent: 'cachedContents/1' }],
  ])('names nothing that the account stores: %s %j', (url, body) => {
    expect(refusal(url, body)).toBe('stored_forbidden');
  });

  it('can be read', () => {
    for (const body of ['', '[]', '{']) expect(refusal(responses, body)).toBe('body_unreadable');
    expect(refusal(responses, { input: 'Hello' }, { 'content-encoding': 'gzip' })).toBe('body_unreadable');
    expect(refusal(responses, { input: 'Hello', previous_response_id: null })).toBeNull();
    expect(refusal(gemini, { contents: [] })).toBeNull();
  });
});
