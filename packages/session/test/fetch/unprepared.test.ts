import { beforeEach, describe, expect, it } from 'vitest';
import { contextFetch, type WireFormat } from '../../src/fetch.ts';
import { makeSession, type TestSession } from '../make-session.ts';

let made: TestSession;
beforeEach(() => {
  made = makeSession();
});

const messages = [{ role: 'user', content: 'Hello' }];

/** Sends a body, and returns the reasons of the events and what was sent. */
async function send(path: string, body: object, init: RequestInit = {}, format?: WireFormat) {
  const sent: unknown[] = [];
  const fetch = contextFetch(made.session, {
    format,
    fetch: async (_, given) => {
      sent.push(given?.body);
      return Response.json({});
    },
  });
  await fetch(`http://gateway${path}`, { method: 'POST', body: JSON.stringify(body), ...init });
  expect(sent).toEqual([init.method === 'GET' ? null : JSON.stringify(body)]);
  return made.events.flatMap((event) => (event.type === 'request-passed-through' ? [event.reason] : []));
}

describe('a request to a model that cannot be prepared', () => {
  it.each([
    ['messages', '/api/generate', { messages }],
    ['messages', '/completion', { model: 'm', messages }],
    ['input items', '/v2/answer', { input: messages }],
    ['contents', '/v2/answer', { contents: [{ parts: [{ text: 'Hello' }] }] }],
  ])('with %s is reported with the option that helps: %s %j', async (_, path, body) => {
    const [reason, ...others] = await send(path, body);
    expect(reason).toContain(`"${path}"`);
    expect(reason).toContain("format: 'openai-chat'");
    expect(others).toEqual([]);
  });

  it.each([
    ['a prompt', '/completion', { prompt: 'Hello' }],
    ['a prompt', '/v1/completions', { model: 'm', prompt: ['Hello'] }],
  ])('with %s is reported as unsupported: %s', async (_, path, body) => {
    expect(await send(path, body)).toEqual([expect.stringContaining('none of the supported formats')]);
  });

  it('is reported if its body is signed', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x' };
    const said = [{ role: 'user', content: [{ text: 'Hello' }] }];
    expect(await send('/model/m/converse', { messages: said }, { headers })).toEqual([
      expect.stringContaining('signed'),
    ]);
    expect(await send('/v1/messages', { messages }, { headers })).toHaveLength(2);
  });

  it('is prepared with the option format', async () => {
    expect(await send('/completion', { messages }, {}, 'openai-chat')).toEqual([]);
    expect(made.session.status().engine).not.toBeNull();
  });
});

describe('a request that does not ask for an answer', () => {
  it.each([
    ['/v1/embeddings', { input: ['a', 'b'] }],
    ['/v1/embeddings', { messages }],
    ['/v1/moderations', { input: [{ type: 'text', text: 'a' }] }],
    ['/v1/images/generations', { prompt: 'A cat' }],
    ['/v1/audio/speech', { input: 'Hello' }],
    ['/v1/messages/count_tokens', { messages }],
    ['/v1beta/models/g:countTokens', { contents: [{ parts: [] }] }],
    ['/tokenize', { prompt: 'Hello' }],
    ['/v1/messages/batches', { requests: [{ params: { messages } }] }],
    ['/v1/files', { purpose: 'batch' }],
    ['/graphql', { query: '{ a }' }],
  ])('is sent without an event: %s %j', async (path, body) => {
    expect(await send(path, body)).toEqual([]);
  });

  it('is sent without an event: GET', async () => {
    expect(await send('/v1/models', {}, { method: 'GET', body: null })).toEqual([]);
  });

  it.each([
    ['/v1/messages/count_tokens', { messages, tools: [] }, 'anthropic'],
    ['/v1/embeddings', { input: 'Hello' }, 'openai-responses'],
  ] as const)('is no part of the conversation with the option format either: %s', async (path, body, format) => {
    expect(await send(path, body, {}, format)).toEqual([]);
    expect(made.session.status().engine).toBeNull();
  });
});
