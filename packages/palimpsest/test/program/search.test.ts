import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  contextWindow,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import { allLoops } from '../proxy/all-loops.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import { proxyProgram } from './proxy-program.ts';

const rounds = 40;
const window = 16_000;
let server: LoopbackServer;
let folder: string;
let running: RunningProgram | null = null;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-search-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startLoopbackServer();
});
afterEach(async () => {
  running?.process.kill('SIGKILL');
  await server.close();
});

/** Starts `palimpsest proxy`, and returns clients that use it. */
async function startedProxy(...options: readonly string[]) {
  const started = await proxyProgram(server, ['--summaries', 'rules', '--window', String(window), ...options], folder);
  running = started.program;
  return started;
}

/** What a provider has in its cache before the messages: tools, system prompt, model, and the other fields. */
function beginning({ body }: Received): string {
  const { messages: _, input: __, contents: ___, ...rest } = body;
  return JSON.stringify(rest);
}

/** The messages, without the cache mark that moves along. */
function list({ body }: Received): readonly string[] {
  return ((body.messages ?? body.input ?? body.contents) as object[]).map((item) =>
    JSON.stringify(item)
      .replaceAll(/,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}/g, '')
      .replace(/"content":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/, '"content":$1'),
  );
}

describe.each(Object.entries(allLoops))('an agent behind the program, on %s', (_, loop) => {
  it('can search by default, before and after compactions, and every prompt begins with the one before', async () => {
    const { log, script } = scriptedProvider(window, rounds);
    const judge = contextWindow(window);
    let searches = 0;
    server.play((request, number) => {
      if (number % 5 !== 2) return script(request);
      searches++;
      const { promptTokens, cachedTokens } = judge(request);
      const call = { id: `recall_${searches}`, name: 'recall', arguments: '{"query":"\\"file-1.ts:7:\\""}' };
      return { kind: 'answer', text: '', calls: [call], promptTokens, cachedTokens, completionTokens: 10 };
    });
    const { program, ...clients } = await startedProxy();
    const history: object[] = [];
    await loop({ ...clients, history, task: 'Read all files.' });
    const compactions = program.stderr.match(/ -> [\d,]+ tokens \(/g)?.length ?? 0;
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(searches).toBeGreaterThan(5);
    expect(compactions).toBeGreaterThan(1);
    // Found again when the file itself was compacted away.
    expect(
      server.received.some(({ text }) => /Quoted from what is hidden[\s\S]*value7 = compute\(49\)/.test(text)),
    ).toBe(true);
    expect(JSON.stringify(history)).not.toContain('recall');
    const beginnings = server.received.map(beginning);
    expect(beginnings.filter((one) => one !== beginnings[0])).toEqual([]);
    expect(beginnings[0]).toMatch(/"recall".*"expand".*"read_file"/);
    const lists = server.received.map(list);
    const broken = lists.filter((items, at) => lists[at - 1]?.some((item, index) => item !== items[index]));
    expect(broken.length).toBeLessThanOrEqual(compactions);
  });

  it('is sent as it is with --no-recall, as long as nothing is compacted', async () => {
    const { log, script } = scriptedProvider(window, 5);
    server.play(script);
    const clients = await startedProxy('--no-recall');
    await loop({ ...clients, history: [], task: 'Read all files.' });
    expect(log.prompts).toHaveLength(6);
    for (const request of server.received) expect(beginning(request)).not.toContain('recall');
  });
});
