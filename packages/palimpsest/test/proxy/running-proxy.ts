import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { LoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { ProxyOptions } from '../../src/proxy/proxy-options.ts';
import { type ContextProxy, startProxy } from '../../src/proxy/start-proxy.ts';

/** A proxy in this process, and clients that use it. */
export interface RunningProxy {
  readonly proxy: ContextProxy;
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
}

/** Starts a proxy whose summaries rules write, unless `options` say otherwise. */
export async function runningProxy(server: LoopbackServer, options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await startProxy({
    upstreams: { openai: new URL(server.openaiUrl), anthropic: new URL(server.anthropicUrl) },
    port: 0,
    config: {},
    directory: import.meta.dirname,
    window: 32_000,
    summaries: 'rules',
    ...options,
  });
  const common = { apiKey: 'test-key', maxRetries: 0 };
  return {
    proxy,
    openai: new OpenAI({ ...common, baseURL: `${proxy.url}/openai/v1` }),
    anthropic: new Anthropic({ ...common, baseURL: `${proxy.url}/anthropic` }),
  };
}
