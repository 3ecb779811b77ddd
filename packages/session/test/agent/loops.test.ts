import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roundsForEach, scriptedModel } from '../../../../test/coding-agent/scripted-model.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { SessionEvent } from '../../src/events/session-event.ts';
import { agentSession } from './agent-session.ts';
import { amazonLoop, converseLoop } from './bedrock-loops.ts';
import { geminiLoop, googleLoop } from './gemini-loops.ts';
import {
  anthropicLoop,
  bedrockMessagesLoop,
  claudeCodeLoop,
  type LoopOptions,
  openaiLoop,
  responsesLoop,
  vertexLoop,
} from './loops.ts';
import { aiSdkOllamaLoop, ollamaLoop, ollamaProviderLoop } from './ollama-loops.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;

let server: LoopbackServer;
let notes: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  notes = mkdtempSync(join(tmpdir(), 'palimpsest-agent-'));
});
afterAll(async () => {
  await server.close();
  rmSync(notes, { recursive: true, force: true });
});

const loops: Readonly<
  Record<
    string,
    readonly [
      (options: LoopOptions) => Promise<void>,
      'openaiUrl' | 'anthropicUrl' | 'vertexUrl' | 'geminiUrl' | 'bedrockUrl' | 'ollamaUrl',
      rounds: number,
    ]
  >
> = {
  'openai, chat completions': [openaiLoop, 'openaiUrl', 200],
  'openai, Responses': [responsesLoop, 'openaiUrl', deep ? 200 : 50],
  '@anthropic-ai/sdk, messages': [anthropicLoop, 'anthropicUrl', 200],
  '@anthropic-ai/vertex-sdk': [vertexLoop, 'vertexUrl', 200],
  '@google/genai, chats': [geminiLoop, 'geminiUrl', 200],
  // The version for AI SDK 5 cannot read Bedrock's streams with a current zod: it requires an input where a call begins.
  ...(process.env.PALIMPSEST_PEERS === 'oldest'
    ? {}
    : {
        '@ai-sdk/amazon-bedrock, with an API key': [amazonLoop('key'), 'bedrockUrl', 50],
        '@ai-sdk/amazon-bedrock, signed': [amazonLoop('signature'), 'bedrockUrl', 200],
        // Their oldest versions need AI SDK 5.0.108 or 6.
        'ollama-ai-provider-v2': [ollamaProviderLoop, 'ollamaUrl', 100],
        'ai-sdk-ollama': [aiSdkOllamaLoop, 'ollamaUrl', 50],
      }),
  '@ai-sdk/google': [googleLoop, 'geminiUrl', 200],
  '@aws-sdk/client-bedrock-runtime, with an API key': [converseLoop('key'), 'bedrockUrl', 200],
  '@aws-sdk/client-bedrock-runtime, signed': [converseLoop('signature'), 'bedrockUrl', 200],
  'ollama, calls with ids': [ollamaLoop('qwen3'), 'ollamaUrl', 50],
  'ollama, calls without ids': [ollamaLoop('llama3.2'), 'ollamaUrl', 200],
  '@anthropic-ai/bedrock-sdk, signed': [bedrockMessagesLoop, 'bedrockUrl', 200],
  '@anthropic-ai/sdk, as Claude Code 2.1': [claudeCodeLoop, 'anthropicUrl', 150],
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe.each(Object.entries(loops))('an agent loop on %s', (_, [loop, url, rounds]) => {
  it(`runs ${rounds} rounds of tools in a window of 16K without one rejected request`, {
    timeout: 180_000,
  }, async () => {
    const { log, script } = scriptedModel(16_000, rounds);
    server.play(script);
    const events: SessionEvent[] = [];
    const session = agentSession(events);
    const history: object[] = [];
    await loop({
      baseURL: server[url],
      session,
      requests: rounds / roundsForEach,
      notes,
      history,
    });
    expect(log.rounds).toBe(rounds);
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(server.received.length).toBe(rounds + rounds / roundsForEach);
    expect(session.records().length).toBeGreaterThanOrEqual(rounds / 50);
    // The caller's history is complete, and many times larger than any request.
    expect(JSON.stringify(history).length).toBeGreaterThan(rounds * 800);
    const last = server.received.at(-1)!.text;
    expect(last).toContain(`Keep number ${(rounds / roundsForEach) * 1_009}`);
    // In turns without a compaction, the prompt begins with the whole previous prompt.
    const following = log.prompts.slice(1).map((prompt, at) => ({ ...prompt, before: log.prompts[at]!.tokens }));
    const warm = following.filter(({ cachedTokens, before }) => cachedTokens >= before * 0.95);
    expect(following.length - warm.length).toBeLessThanOrEqual(session.records().length);
    const share = sum(warm.map(({ cachedTokens }) => cachedTokens)) / sum(warm.map(({ tokens }) => tokens));
    expect(share).toBeGreaterThan(0.9);
    expect(events.filter(({ type }) => /failed|blocked|exhausted|repaired|passed/.test(type))).toEqual([]);
  });
});
