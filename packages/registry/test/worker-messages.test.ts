import type { ContextEvent } from '@palimpsest/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeResolver } from '../src/config.ts';
import { createEngineHost, createRegistry } from '../src/index.ts';
import { conversation } from './conversation.ts';
import { plugin, trimmer } from './engines.ts';
import { createProject, type Project } from './project.ts';
import { buildThreadScript } from './thread-script.ts';

const thread = await buildThreadScript();

const settings = `
${thread.importWriteHandoff}
const budget = ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0 });
const fold = (state) => ({ edits: [{ kind: 'replace', groups: [2, 10], with: [{ handoff: writeHandoff('folded'), carry: [] }], reasons: [] }], state });`;

/** Messages that an engine may post itself, because it has access to its worker's port. */
const messages: readonly string[] = [
  'null',
  'undefined',
  '42',
  '"text"',
  '[]',
  '{}',
  '{ kind: "nobody-knows" }',
  '{ kind: "answer" }',
  '{ kind: "answer", id: "1", value: 1 }',
  '{ kind: "failed", id: 1, error: null }',
  '{ kind: "failed", id: 1, error: { message: 7, ours: true } }',
  '{ kind: "summarize", id: 1, which: "constructor", request: {} }',
  '{ kind: "summarize", id: 1, which: "summarizer", request: null }',
  '{ kind: "summarize-abort" }',
];

let project: Project;
beforeAll(async () => {
  const posting = messages.map((message, at): [string, string] => [
    `posts-${at}.mjs`,
    `import { parentPort } from 'node:worker_threads';${settings}
    export default { name: 'posts-${at}', apiVersion: 2, create: () => ({ initial: null, budget, plan: async () => { parentPort.postMessage(${message}); await new Promise(() => {}); } }) };`,
  ]);
  const answering = (name: string, answer: string): [string, string] => [
    `${name}.mjs`,
    `import { parentPort } from 'node:worker_threads';${settings}
    const post = parentPort.postMessage.bind(parentPort);
    parentPort.postMessage = (message) => post(message.kind === 'answer' && message.value?.plan ? { ...message, value: ${answer} } : message);
    export default { name: '${name}', apiVersion: 2, create: () => ({ initial: null, budget, plan: async ({ state }) => fold(state) }) };`,
  ];
  project = await createProject({
    ...Object.fromEntries([...posting, answering('answers-null', 'null'), answering('answers-text', '"x"')]),
    'afterwards.mjs': `import { parentPort } from 'node:worker_threads';${settings}
    export default { name: 'afterwards', apiVersion: 2, create: () => ({ initial: null, budget, plan: async ({ state }) => { setTimeout(() => parentPort.postMessage(null), 20); return fold(state); } }) };`,
    'asks-oddly.mjs': `import { parentPort } from 'node:worker_threads';${settings}
    export default { name: 'asks-oddly', apiVersion: 2, create: (o, host) => ({ initial: null, budget, plan: async ({ state }) => {
      parentPort.postMessage({ kind: 'summarize', id: 9, which: 'fallbackSummarizer', request: {} });
      parentPort.postMessage({ kind: 'summarize', id: 10, which: 'summarizer', request: { prompt: {}, material: [] } });
      parentPort.postMessage({ kind: 'answer', id: 99999, value: 1 });
      parentPort.postMessage({ kind: 'event', event: null });
      await new Promise((resolve) => setTimeout(resolve, 20));
      return fold(state); } }) };`,
    'bad-status.mjs': `${settings}
    export default { name: 'bad-status', apiVersion: 2, create: () => ({ initial: null, budget, plan: async ({ state }) => fold(state), status: () => { throw new Error('no status'); } }) };`,
  });
}, 60_000);
afterAll(() => Promise.all([project.remove(), thread.remove()]));

async function trial(name: string) {
  const events: ContextEvent[] = [];
  const registry = createRegistry({
    builtIns: [plugin('safe', trimmer)],
    fallback: 'safe',
    onEvent: (event) => events.push(event),
    resolve: nodeResolver({ directory: project.directory, worker: { thread: thread.url, graceMs: 50 } }),
  });
  const host = createEngineHost({ summarizer: { id: 'model', summarize: async () => ({ text: 'x' }) } });
  return { engine: await registry.create({ engine: `./${name}.mjs`, isolate: 'worker' }, host), events };
}

const reasons = (events: readonly ContextEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'engine-quarantined' ? [event.reason] : []));

describe('a worker is terminated, its engine is out of service and the host continues if it posts', () => {
  it.each(messages.map((message, at) => [message, at] as const))('%s', async (_message, at) => {
    const { engine, events } = await trial(`posts-${at}`);
    const result = await engine.compress(conversation());
    expect(result.report.engine).toBe('safe');
    expect(reasons(events)).toEqual(['its worker sent an invalid message and was terminated']);
  });

  it.each(['answers-null', 'answers-text'])('an invalid answer: %s', async (name) => {
    const { engine, events } = await trial(name);
    expect((await engine.compress(conversation())).report.engine).toBe('safe');
    expect(reasons(events)).toEqual(['its worker returned an invalid answer to "plan"']);
  });

  it('null while no call is pending, which the next call reports', async () => {
    const { engine, events } = await trial('afterwards');
    expect((await engine.compress(conversation())).report.engine).toBe('afterwards');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await engine.compress(conversation(14))).report.engine).toBe('safe');
    expect(reasons(events)).toEqual(['its worker sent an invalid message and was terminated']);
  });
});

describe('a worker that sends invalid requests', () => {
  it('gets an error back, or nothing', async () => {
    const { engine, events } = await trial('asks-oddly');
    expect((await engine.compress(conversation())).report.engine).toBe('asks-oddly');
    expect(events.map(({ type }) => type)).toEqual(['compress-start', 'compress-end']);
  });

  it('can fail to report its status without losing the plan', async () => {
    const { engine, events } = await trial('bad-status');
    expect((await engine.compress(conversation())).report.engine).toBe('bad-status');
    expect(engine.status().details).toEqual({});
    expect(events).toContainEqual({
      type: 'engine-method-failed',
      engine: 'bad-status',
      method: 'status',
      reason: 'no status',
    });
  });
});

describe('a transcript that cannot be sent to a worker', () => {
  it('is cut where it is nested too deeply', async () => {
    let value: unknown = 'end';
    for (let level = 0; level < 100_000; level++) value = [value];
    const messages = conversation();
    messages[1] = {
      role: 'user',
      content: [
        { type: 'text', text: 'Go.' },
        { type: 'json', value },
      ] as never,
    };
    const { engine, events } = await trial('bad-status');
    expect((await engine.compress(messages)).report.engine).toBe('bad-status');
    expect(reasons(events)).toEqual([]);
  });
});
