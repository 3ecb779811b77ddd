import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, type BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { awsRequestHandler } from '@palimpsest/session/fetch';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { bedrockApiKey, type LoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { ProxyOptions } from '../../src/proxy/proxy-options.ts';
import { type ContextProxy, startProxy } from '../../src/proxy/start-proxy.ts';

/** Clients that use a proxy. */
export interface ProxyClients {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  readonly gemini: GoogleGenAI;
  readonly bedrock: BedrockRuntimeClient;
  readonly ollama: Ollama;
}

/** A proxy in this process, and clients that use it. */
export interface RunningProxy extends ProxyClients {
  readonly proxy: ContextProxy;
}

/** The client's own handler speaks HTTP/2, also without TLS. */
export const http1 = awsRequestHandler((input, init) =>
  fetch(input, init),
) as unknown as BedrockRuntimeClientConfig['requestHandler'] & object;

/** Creates clients that use the proxy at an address. */
export function clientsOf(url: string): ProxyClients {
  const common = { apiKey: 'test-key', maxRetries: 0 };
  return {
    openai: new OpenAI({ ...common, baseURL: `${url}/openai/v1` }),
    anthropic: new Anthropic({ ...common, baseURL: `${url}/anthropic` }),
    bedrock: new BedrockRuntimeClient({
      region: 'eu-west-1',
      endpoint: `${url}/bedrock`,
      token: { token: bedrockApiKey },
      authSchemePreference: ['httpBearerAuth'],
      maxAttempts: 1,
      requestHandler: http1,
    }),
    gemini: new GoogleGenAI({ apiKey: 'test-key', httpOptions: { baseUrl: `${url}/gemini` } }),
    ollama: new Ollama({ host: `${url}/ollama` }),
  };
}

/** The addresses of a loopback server, for a proxy. */
export function upstreamsOf(server: LoopbackServer): ProxyOptions['upstreams'] {
  return {
    openai: new URL(server.openaiUrl),
    chatgpt: new URL(server.chatgptUrl),
    anthropic: new URL(server.anthropicUrl),
    gemini: new URL(server.geminiUrl),
    vertex: new URL(server.vertexUrl),
    bedrock: new URL(server.bedrockUrl),
    ollama: new URL(server.ollamaUrl),
  };
}

/** Starts a proxy whose summaries rules write, unless `options` say otherwise. */
export async function runningProxy(server: LoopbackServer, options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await startProxy({
    upstreams: upstreamsOf(server),
    port: 0,
    config: {},
    directory: import.meta.dirname,
    window: 32_000,
    summaries: 'rules',
    ...options,
  });
  return { proxy, ...clientsOf(proxy.url) };
}
