import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reader, reading } from '../adapter-suite/scripts.ts';
import { changedPrefixes, textsIn } from '../adapter-suite/suite-agent.ts';
import { contextWindow, type LoopbackServer, type Received, startLoopbackServer } from '../loopback-server/index.ts';
import { type InstalledRecipe, installedRecipe } from './installed.ts';

/** A running Durable Object. */
interface Worker {
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

const recipe = installedRecipe('agents');

if (recipe) describe('the recipe for Cloudflare Agents, in a Durable Object', () => testDurableObject(recipe));
else it.skip('the recipe for Cloudflare Agents: PALIMPSEST_RECIPES names no folder with agents');

function testDurableObject({ folder, load }: InstalledRecipe): void {
  let server: LoopbackServer;
  const storages: string[] = [];
  const running: Worker[] = [];
  beforeAll(async () => {
    server = await startLoopbackServer();
  });
  afterEach(() => expect(server.received.flatMap(({ problems }) => problems)).toEqual([]));
  afterAll(async () => {
    for (const worker of running) await worker.stop();
    await server.close();
    for (const storage of storages) rmSync(storage, { recursive: true, force: true });
  });

  const newStorage = (): string => {
    const storage = mkdtempSync(join(tmpdir(), 'palimpsest-durable-object-'));
    storages.push(storage);
    return storage;
  };
  const start = async (durableObjectsPersist: string): Promise<Worker> => {
    const { Miniflare } = await load('miniflare');
    const miniflare = new Miniflare({
      modules: true,
      script: await bundled(folder),
      compatibilityDate: '2026-07-01',
      compatibilityFlags: ['nodejs_compat'],
      bindings: { PROVIDER: server.openaiUrl },
      durableObjects: { CONVERSATIONS: { className: 'Conversation', useSQLite: true } },
      durableObjectsPersist,
    });
    const worker: Worker = {
      async get(path) {
        const response = await miniflare.dispatchFetch(`http://worker${path}`);
        const text = await response.text();
        if (!response.ok) throw new Error(text);
        return JSON.parse(text);
      },
      async stop() {
        running.splice(running.indexOf(worker), 1);
        await miniflare.dispose();
      },
    };
    running.push(worker);
    return worker;
  };

  const ask = (worker: Worker, text: string) =>
    worker.get(`/ask?text=${encodeURIComponent(text)}`) as Promise<{ text: string; compactions: number }>;

  it('keeps 200 rounds of tools in a window of 16K, and continues in another process', {
    timeout: 300_000,
  }, async () => {
    const judge = contextWindow(16_000);
    const play = reader(25);
    server.play((request, number) => judge(request).refusal ?? play(request, number));
    const storage = newStorage();
    const worker = await start(storage);
    let compactions = 0;
    for (let part = 1; part <= 8; part++) {
      const answer = await ask(worker, `Part ${part}: read the next sources.`);
      expect(answer.text).toBe('Done.');
      compactions = answer.compactions;
    }
    expect(compactions).toBeGreaterThan(2);
    expect(server.received).toHaveLength(8 * 26);
    expect(changedPrefixes(server.received).length).toBeLessThanOrEqual(compactions);
    const kept = textsIn(await worker.get('/history'));
    const rounds = [...server.received.keys()].filter((number) => number % 26 < 25);
    expect(rounds.filter((number) => !kept.has(resultOf(number)))).toEqual([]);

    const last = server.received.at(-1)!;
    await worker.stop();
    const next = await start(storage);
    server.play(recallScript());
    expect((await ask(next, 'What did the first source say?')).text).toBe('It is found.');
    expect(changedPrefixes([last, server.received[0]!])).toEqual([]);
  });

  it('writes the summary of a compaction, which stands in the place of whole messages', {
    timeout: 300_000,
  }, async () => {
    const worker = await start(newStorage());
    server.play(reader(8));
    for (let part = 1; part <= 8; part++) await ask(worker, `Part ${part}: read the next sources.`);
    const before = (await worker.get('/history')) as { id: string }[];
    const { fromMessageId, toMessageId, summary } = (await worker.get('/compact')) as Record<string, string>;
    const after = (await worker.get('/history')) as { id: string; parts: object[] }[];
    expect(summary).toContain('Part 1: read the next sources.');
    const at = (id: string | undefined) => before.findIndex((message) => message.id === id);
    const length = at(toMessageId) - at(fromMessageId) + 1;
    expect(length).toBeGreaterThan(5);
    expect(after).toHaveLength(before.length - length + 1);
    expect(textsIn(after)).toContain(summary);
    server.play(reader(0));
    expect((await ask(worker, 'Go on.')).text).toBe('Done.');
  });
}

/** Searches for the first source, and checks what the model gets. */
function recallScript() {
  const path = pathOf(0);
  return ({ body }: Received, number: number) => {
    if (number === 0)
      return {
        kind: 'answer' as const,
        text: '',
        calls: [{ id: 'recall_1', name: 'recall', arguments: JSON.stringify({ query: path }) }],
      };
    const result = JSON.stringify((body.messages as readonly unknown[]).at(-1));
    return {
      kind: 'answer' as const,
      text: result.includes(`of ${path}: nothing of note`) ? 'It is found.' : 'Nothing.',
    };
  };
}

/** The file that is read in a round. */
function pathOf(round: number): string {
  return (JSON.parse(reading(round).arguments) as { path: string }).path;
}

/** What the worker's tool returns in a round. */
function resultOf(round: number): string {
  const path = pathOf(round);
  return Array.from({ length: 30 }, (_, line) => `line ${line} of ${path}: nothing of note`).join('\n');
}

/** The worker in one file, with the framework from the folder and our packages from their sources. */
async function bundled(folder: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('cloudflare-agents-worker.js', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['palimpsest-source', 'workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    nodePaths: [`${folder}/node_modules`],
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}
