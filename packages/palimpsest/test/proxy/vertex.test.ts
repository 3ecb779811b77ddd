import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { GoogleGenAI } from '@google/genai';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { targetOf } from '../../src/proxy/upstreams.ts';
import { geminiLoop, messagesLoop } from './agent-loops.ts';
import { type RunningProxy, runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
let running: RunningProxy;
beforeAll(async () => {
  server = await startLoopbackServer();
  running = await runningProxy(server, { window: 12_000 });
});
afterAll(async () => {
  await running.proxy.close();
  await server.close();
});

/** Clients of Vertex with a token of Google, which is sent as it is. */
function vertexClients(url: string) {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'google-token', expiry_date: Number.MAX_SAFE_INTEGER });
  const common = { baseURL: `${url}/vertex/v1`, maxRetries: 0 };
  return {
    anthropic: new AnthropicVertex({ projectId: 'my-project', region: 'europe-west1', authClient, ...common }),
    gemini: new GoogleGenAI({
      vertexai: true,
      project: 'my-project',
      location: 'europe-west1',
      googleAuthOptions: { authClient },
      httpOptions: { baseUrl: `${url}/vertex` },
    }),
  };
}

describe('an agent on Vertex behind the proxy', () => {
  it.each(['anthropic', 'gemini'] as const)('runs 40 rounds without a refusal: %s', async (name) => {
    const clients = vertexClients(running.proxy.url);
    const { log, script } = scriptedProvider(12_000, 40);
    server.play(script);
    const before = running.proxy.conversations.length;
    const history: object[] = [];
    const given = { ...running, ...clients, anthropic: clients.anthropic as unknown as Anthropic };
    const loop = name === 'anthropic' ? messagesLoop : geminiLoop;
    await loop({ ...given, history, task: 'Read all files.' });
    expect([log.refused, log.prompts.length]).toEqual([[], 41]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer google-token']),
    );
    const conversation = running.proxy.conversations[before]!;
    expect(conversation.model).toBe('m');
    expect(conversation.compactions.length).toBeGreaterThan(0);
  });

  it('may count tokens, and may ask without a stream', async () => {
    const { anthropic } = vertexClients(running.proxy.url);
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    server.play([{ kind: 'answer', text: 'Good day.' }]);
    expect(await anthropic.messages.countTokens({ model: 'm', messages })).toMatchObject({ input_tokens: 7 });
    const { content } = await anthropic.messages.create({ model: 'm', max_tokens: 100, messages });
    expect(content).toMatchObject([{ text: 'Good day.' }]);
    expect(server.received.map(({ path }) => path)).toEqual([
      '/v1/projects/my-project/locations/europe-west1/publishers/anthropic/models/m:rawPredict',
    ]);
  });
});

describe('the address of a request to Vertex', () => {
  const provider = new URL('https://provider.example');
  const upstreams = {
    openai: provider,
    chatgpt: provider,
    anthropic: provider,
    gemini: provider,
    vertex: null,
    bedrock: 'us-east-1',
    ollama: new URL('http://127.0.0.1:11434'),
  };
  const hostOf = (path: string): string | undefined => targetOf(upstreams, `/vertex/v1/projects/p/${path}`)?.url.host;

  it('follows from the location in its path', () => {
    const rest = 'publishers/anthropic/models/m:rawPredict';
    expect(hostOf(`locations/us-east5/${rest}`)).toBe('us-east5-aiplatform.googleapis.com');
    expect(hostOf(`locations/global/${rest}`)).toBe('aiplatform.googleapis.com');
    expect(hostOf(`locations/eu/${rest}`)).toBe('aiplatform.eu.rep.googleapis.com');
    expect(hostOf(rest)).toBe('aiplatform.googleapis.com');
  });

  it('is never one that a location names', () => {
    const names = ['evil.example%2f', 'evil.example', 'a@evil.example', '..', 'a:80', 'a1', `us-${'a'.repeat(40)}1`];
    const hosts = names.map((location) => hostOf(`locations/${location}/publishers/x`));
    const google = 'aiplatform.googleapis.com';
    expect(hosts).toEqual([google, google, google, undefined, google, google, google]);
  });
});
