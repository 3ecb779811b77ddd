import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../../test/bundle-process.ts';
import { packages } from '../../../../test/coding-agent/real-tools.ts';
import { roundsForEach, scriptedModel } from '../../../../test/coding-agent/scripted-model.ts';
import { type LoopbackServer, type Received, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { SessionEvent } from '../../src/events/session-event.ts';
import { agentSession } from '../agent/agent-session.ts';
import { amazonLoop, converseLoop } from '../agent/bedrock-loops.ts';
import { geminiLoop, googleLoop } from '../agent/gemini-loops.ts';
import {
  aiSdkLoop,
  anthropicLoop,
  bedrockMessagesLoop,
  type LoopOptions,
  openaiLoop,
  responsesLoop,
} from '../agent/loops.ts';
import { aiSdkOllamaLoop, ollamaLoop, ollamaProviderLoop } from '../agent/ollama-loops.ts';
import { searchingModel, toolsIn } from './searching-model.ts';

let server: LoopbackServer;
let folder: string;
// One for each test: the loop of a test that ran out of time continues, and must not mix its requests with those of the next.
beforeEach(async () => {
  server = await startLoopbackServer();
});
afterEach(() => server.close());
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-recall-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Loop = readonly [
  run: (options: LoopOptions) => Promise<void>,
  url: 'openaiUrl' | 'anthropicUrl' | 'geminiUrl' | 'bedrockUrl' | 'ollamaUrl',
  rounds: number,
];

const loops: Readonly<Record<string, Loop>> = {
  'openai, chat completions': [openaiLoop, 'openaiUrl', 200],
  'openai, Responses': [responsesLoop, 'openaiUrl', 50],
  '@anthropic-ai/sdk, messages': [anthropicLoop, 'anthropicUrl', 50],
  '@google/genai': [geminiLoop, 'geminiUrl', 50],
  '@ai-sdk/google': [googleLoop, 'geminiUrl', 50],
  '@aws-sdk/client-bedrock-runtime': [converseLoop('signature'), 'bedrockUrl', 50],
  '@ai-sdk/amazon-bedrock': [amazonLoop('signature'), 'bedrockUrl', 50],
  '@anthropic-ai/bedrock-sdk': [bedrockMessagesLoop, 'bedrockUrl', 50],
  'ollama, calls with ids': [ollamaLoop('qwen3'), 'ollamaUrl', 50],
  'ollama, calls without ids': [ollamaLoop('llama3.2'), 'ollamaUrl', 50],
  'ollama-ai-provider-v2': [ollamaProviderLoop, 'ollamaUrl', 50],
  'ai-sdk-ollama': [aiSdkOllamaLoop, 'ollamaUrl', 50],
  'the AI SDK': [aiSdkLoop, 'openaiUrl', 50],
};

/** Requests that do not begin with the whole request before them. */
function changedPrefixes(received: readonly Received[]): number {
  let changed = 0;
  let before: readonly string[] = [];
  for (const { body } of received) {
    const now = ((body.messages ?? body.input ?? body.contents) as object[]).map((item) => plainItem(item));
    if (before.some((item, at) => item !== now[at])) changed++;
    before = now;
  }
  return changed;
}

/** An item as the provider reads it: without cache marks, and with a single text as a string. */
function plainItem(item: object): string {
  const plain = JSON.stringify(item).replaceAll(
    /,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}/g,
    '',
  );
  return plain.replace(/"content":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/, '"content":$1');
}

describe.each(Object.entries(loops))('an agent whose model searches, on %s', (name, [loop, url, rounds]) => {
  it(`runs ${rounds} rounds of its own tools, and knows nothing of the searches`, { timeout: 180_000 }, async () => {
    const { log, script } = scriptedModel(16_000, rounds);
    const searching = searchingModel(16_000, script);
    server.play(searching.script);
    const events: SessionEvent[] = [];
    const session = agentSession(events, undefined, 'agent', true);
    const history: object[] = [];
    await loop({
      baseURL: server[url],
      session,
      requests: rounds / roundsForEach,
      notes: folder,
      history,
      recall: true,
    });
    expect(log.rounds).toBe(rounds);
    expect([...log.refused, ...searching.log.refused]).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(searching.log.alone).toBeGreaterThan(5);
    expect(searching.log.beside).toBeGreaterThan(5);
    // The AI SDK answers the calls itself, with contextTools.
    if (name !== 'the AI SDK') expect(JSON.stringify(history)).not.toMatch(/"(?:recall|expand)(?:_\d+)?"/);
    expect(server.received.some(({ text }) => text.includes('Quoted from what is hidden.'))).toBe(true);
    expect(server.received.some(({ text }) => text.includes('Do not use it again.'))).toBe(true);
    // The tools stay the same bytes. Only the last request of a long search does not have those of the session.
    const declared = server.received.map((request) => JSON.stringify(toolsIn(request)));
    expect(declared.filter((tools) => tools !== declared[0])).toEqual([]);
    expect(declared[0]).toContain('"recall"');
    expect(changedPrefixes(server.received)).toBeLessThanOrEqual(session.records().length);
    expect(events.filter(({ type }) => /failed|blocked|exhausted|repaired|passed/.test(type))).toEqual([]);
  });
});

describe('an agent that is killed while its model searches', () => {
  let bundle: BundledProcess;
  beforeAll(async () => {
    bundle = await bundleProcess(import.meta.url, '../agent/agent-process.ts');
  });
  afterAll(() => bundle.remove());

  it('continues with the same bytes, searches included', { timeout: 180_000 }, async () => {
    const rounds = 50;
    let killedAt: number | null = null;
    let withAnswers = 0;
    const { log, script } = scriptedModel(16_000, rounds);
    const searching = searchingModel(16_000, script);
    const start = () => {
      const args = [bundle.script, server.openaiUrl, folder, packages, String(rounds / roundsForEach), 'recall'];
      return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    };
    let running = start();
    server.play((request, number) => {
      if (request.text.includes('Quoted from what is hidden.')) withAnswers++;
      // The sources that the agent reads change, and with them when it searches.
      if (killedAt !== null || withAnswers < 4) return searching.script(request);
      killedAt = number;
      running.kill('SIGKILL');
      return { kind: 'close', at: 'start' };
    });
    const end = (): Promise<unknown> =>
      new Promise((resolve) => running.on('close', (code, signal) => resolve(signal ?? code)));
    expect(await end()).toBe('SIGKILL');
    running = start();
    expect(await end()).toBe(0);
    expect(log.rounds).toBe(rounds);
    expect([...log.refused, ...searching.log.refused]).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    const [killed, again] = [server.received[killedAt!]!, server.received[killedAt! + 1]!];
    // A search that was answered in the killed fetch is lost with it, and nothing else.
    const shorter = Math.min(...[killed, again].map(({ body }) => (body.messages as object[]).length));
    const texts = [killed, again].map(({ body }) => JSON.stringify((body.messages as object[]).slice(0, shorter)));
    expect(texts[0]).toBe(texts[1]);
    expect(again.text).toContain('Quoted from what is hidden.');
  });
});
