import { Sha256 } from '@aws-crypto/sha256-js';
import { ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsCredentials, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { createAwsSigner } from '../../src/fetch/aws-signer.ts';
import { type ContextFetchOptions, contextFetch } from '../../src/fetch.ts';
import { bedrockClient } from '../bedrock-client.ts';
import { filler, makeSession, type TestSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
let made: TestSession;
beforeEach(() => {
  made = makeSession({ window: 5_000 });
  server.play(() => ({ kind: 'answer', text: 'Yes.', promptTokens: 10, completionTokens: 2 }));
  return () => vi.unstubAllEnvs();
});

const modelId = 'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-v1:0';
const long = [
  ...Array.from({ length: 30 }, (_, index) => [
    { role: 'user' as const, content: [{ text: `Show file ${index}.` }] },
    { role: 'assistant' as const, content: [{ text: filler(200, index) }] },
  ]).flat(),
  { role: 'user' as const, content: [{ text: 'And now?' }] },
];

/** Sends a conversation with the AWS SDK. @returns the reasons why it was passed through */
async function send(messages: typeof long, options: ContextFetchOptions = {}): Promise<readonly string[]> {
  const client = bedrockClient(
    server.bedrockUrl,
    'signature',
    contextFetch(made.session, { recall: false, ...options }),
  );
  await client.send(new ConverseCommand({ modelId, messages }));
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  return made.events.flatMap((event) => (event.type === 'request-passed-through' ? [event.reason] : []));
}

describe('a signed request', () => {
  it('keeps its bytes and its signature when nothing is due', async () => {
    const sent: RequestInit[] = [];
    const fetch = contextFetch(made.session, {
      recall: false,
      aws: awsCredentials,
      fetch: (input, init) => {
        sent.push(init!);
        return globalThis.fetch(input, init);
      },
    });
    let signature: string | null = null;
    const client = bedrockClient(server.bedrockUrl, 'signature', (input, init) => {
      signature = new Headers(init?.headers).get('authorization');
      return fetch(input, init);
    });
    await client.send(new ConverseCommand({ modelId, messages: long.slice(-1) }));
    expect(new Headers(sent[0]!.headers).get('authorization')).toBe(signature);
    expect(server.received[0]!.problems).toEqual([]);
  });

  it.each([
    ['given', awsCredentials],
    ['given by a function', async () => awsCredentials],
  ])('is signed again when it was compacted, with credentials %s', async (_, aws) => {
    expect(await send(long, { aws })).toEqual([]);
    expect(made.session.records()).toHaveLength(1);
    expect(server.received[0]!.raw.length).toBeLessThan(JSON.stringify(long).length);
  });

  it('is signed again with the credentials of the environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', awsCredentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', awsCredentials.secretAccessKey);
    expect(await send(long)).toEqual([]);
    expect(made.session.records()).toHaveLength(1);
  });

  it.each([
    ['there are no credentials', async () => Promise.reject(new Error('expired')), 'No AWS credentials were found.'],
    ['they belong to somebody else', { ...awsCredentials, accessKeyId: 'AKIAOTHER' }, 'another access key'],
  ])('is sent unchanged if %s, and the event says why', async (_, aws, reason) => {
    expect(await send(long, { aws })).toEqual([expect.stringContaining(reason)]);
    expect(made.session.records()).toHaveLength(0);
    expect(server.received[0]!.body.messages).toEqual(long);
  });

  it('is genuine only with the same credentials, the same body, and the same address', async () => {
    const client = bedrockClient(server.bedrockUrl, 'signature', async (input, init) => {
      const request = {
        url: new URL(String(input)),
        method: 'POST',
        headers: new Headers(init?.headers),
        body: init!.body as string,
      };
      const signer = createAwsSigner(awsCredentials);
      const other = createAwsSigner({ ...awsCredentials, secretAccessKey: 'other' });
      expect(await signer.isGenuine(request)).toBe(true);
      expect(await other.isGenuine(request)).toBe(false);
      expect(await signer.isGenuine({ ...request, body: `${request.body} ` })).toBe(false);
      expect(await signer.isGenuine({ ...request, url: new URL('/model/m/converse', request.url) })).toBe(false);
      expect(await signer.isGenuine({ ...request, headers: new Headers() })).toBe(false);
      expect(await signer.obstacle(new Headers({ authorization: 'AWS4-HMAC-SHA256 x' }))).toContain('cannot be read');
      return globalThis.fetch(input, init);
    });
    await client.send(new ConverseCommand({ modelId, messages: long.slice(-1) }));
    expect.assertions(6);
  });

  it('is genuine with repeated names in its query, and with headers that the AWS SDK does not sign', async () => {
    const url = new URL('http://127.0.0.1/guardrails?b=2&a=2&a=1&c');
    const headers = { 'user-agent': 'agent', host: url.host };
    const signer = new SignatureV4({
      credentials: awsCredentials,
      region: 'eu-west-1',
      service: 'bedrock',
      sha256: Sha256,
    });
    const query = { a: ['2', '1'], b: '2', c: '' };
    const request = {
      method: 'GET',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query,
      headers,
    };
    const signed = await signer.sign(request, { signableHeaders: new Set(['user-agent']) });
    const given = { url, method: 'GET', headers: new Headers(signed.headers), body: '' };
    expect(await createAwsSigner(awsCredentials).isGenuine(given)).toBe(true);
    given.headers.set('user-agent', 'other');
    expect(await createAwsSigner(awsCredentials).isGenuine(given)).toBe(false);
  });

  it('looks for credentials at most once a minute while there are none', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const search = vi.fn(async () => Promise.reject(new Error('none')));
      const signer = createAwsSigner(search);
      const authorization = `AWS4-HMAC-SHA256 Credential=A/20261128/eu-west-1/bedrock/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
      const obstacle = () => signer.obstacle(new Headers({ authorization }));
      for (const _ of [1, 2, 3]) expect(await obstacle()).toContain('No AWS credentials');
      expect(search).toHaveBeenCalledTimes(1);
      vi.setSystemTime(Date.now() + 60_000);
      await obstacle();
      expect(search).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });
});
