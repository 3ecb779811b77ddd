import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import type Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsCredentials, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { targetOf } from '../../src/proxy/upstreams.ts';
import { converseLoop, messagesLoop } from './agent-loops.ts';
import { http1, type RunningProxy, runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
let running: RunningProxy;
let problems: string[];
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', awsCredentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', awsCredentials.secretAccessKey);
  problems = [];
  running = await runningProxy(server, { window: 12_000, onProblem: (problem) => problems.push(problem) });
});
afterEach(async () => {
  await running.proxy.close();
  vi.unstubAllEnvs();
});

/** Clients that sign their requests. */
function signingClients(url: string, credentials = awsCredentials) {
  const endpoint = `${url}/bedrock`;
  const { accessKeyId: awsAccessKey, secretAccessKey: awsSecretKey } = credentials;
  const awsRegion = 'eu-west-1';
  return {
    bedrock: new BedrockRuntimeClient({
      region: awsRegion,
      endpoint,
      credentials,
      maxAttempts: 1,
      requestHandler: http1,
    }),
    anthropic: new AnthropicBedrock({
      baseURL: endpoint,
      awsAccessKey,
      awsSecretKey,
      awsRegion,
      maxRetries: 0,
    }) as unknown as Anthropic,
  };
}

function received(): readonly string[] {
  return server.received.flatMap((request) => request.problems);
}

describe('an agent on Bedrock behind the proxy', () => {
  it.each([
    ['Converse with an API key', converseLoop, false],
    ['Converse, signed', converseLoop, true],
    ['InvokeModel, signed', messagesLoop, true],
  ] as const)('runs 40 rounds without a refusal: %s', async (_, loop, isSigned) => {
    const { log, script } = scriptedProvider(12_000, 40);
    server.play(script);
    const history: object[] = [];
    const clients = isSigned ? signingClients(running.proxy.url) : {};
    await loop({ ...running, ...clients, history, task: 'Read all files.' });
    expect([log.refused, received(), problems]).toEqual([[], [], []]);
    expect(log.prompts).toHaveLength(41);
    expect(running.proxy.conversations[0]!.compactions.length).toBeGreaterThan(0);
  });

  it.each([
    ['with another key', { ...awsCredentials, accessKeyId: 'AKIAOTHER' }, 'another access key'],
    [
      'with a forged signature',
      { ...awsCredentials, secretAccessKey: 'forged' },
      'The signature of the request is wrong',
    ],
  ])('is not signed for a client %s, and the terminal says why, once', async (_, credentials, reason) => {
    server.play([]);
    const { bedrock } = signingClients(running.proxy.url, credentials);
    const said = (role: 'user' | 'assistant', text: string) => ({ role, content: [{ text }] });
    const messages = [said('user', 'Hello'), said('assistant', 'Yes?'), said('user', 'Read a.ts.')];
    // With a tool, the tools for searching are added, so the body is changed.
    const tools = [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object' } } } }];
    for (const _try of [1, 2])
      await expect(
        bedrock.send(new ConverseCommand({ modelId: 'm', messages, toolConfig: { tools } })),
      ).rejects.toThrow();
    expect(received().join()).toMatch(/security token|signature we calculated/);
    expect(problems).toEqual([expect.stringContaining(reason)]);
  });
});

describe('the address of a request to Bedrock', () => {
  const provider = new URL('https://provider.example');
  const upstreams = {
    openai: provider,
    chatgpt: provider,
    anthropic: provider,
    gemini: provider,
    vertex: null,
    bedrock: 'us-west-2',
    ollama: new URL('http://127.0.0.1:11434'),
  };
  const addressOf = (authorization: string): string | undefined =>
    targetOf(upstreams, '/bedrock/model/m%3A0/converse', { authorization })?.url.href;
  const signedFor = (region: string): string => `AWS4-HMAC-SHA256 Credential=A/20261128/${region}/bedrock/aws4_request`;

  it('follows from the region that it is signed for, or else from that of the environment', () => {
    expect(addressOf(signedFor('eu-west-1'))).toBe(
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/m%3A0/converse',
    );
    expect(addressOf('Bearer key')).toBe('https://bedrock-runtime.us-west-2.amazonaws.com/model/m%3A0/converse');
    expect(addressOf(signedFor('evil.example#'))).toBe(
      'https://bedrock-runtime.us-west-2.amazonaws.com/model/m%3A0/converse',
    );
    expect(addressOf(signedFor(`eu-${'w'.repeat(40)}-1`))).toBe(
      'https://bedrock-runtime.us-west-2.amazonaws.com/model/m%3A0/converse',
    );
    const gateway = { ...upstreams, bedrock: new URL('https://gateway.example/aws') };
    expect(targetOf(gateway, '/bedrock/model/m/converse')?.url.href).toBe(
      'https://gateway.example/aws/model/m/converse',
    );
  });
});
