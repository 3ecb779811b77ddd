import {
  type ContextEngine,
  type ContextEvent,
  type EngineHost,
  type Message,
  readHandoff,
  type Summarizer,
} from '@palimpsest/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeResolver } from '../src/config.ts';
import { createEngineHost, createRegistry, type RegistryOptions } from '../src/index.ts';
import type { WorkerOptions } from '../src/node/worker-connection.ts';
import { conversation } from './conversation.ts';
import { plugin, trimmer } from './engines.ts';
import { createProject, type Project } from './project.ts';
import { buildThreadScript } from './thread-script.ts';

const thread = await buildThreadScript();

let project: Project;

/** A module of an engine with a planner of one's own; `fold` is a plan that puts text for the groups 2 to 10. */
const module = (name: string, planner: string, more = ''): string => `
${thread.importWriteHandoff}
const budget = ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0 });
const fold = (content, state) => ({ edits: [{ kind: 'replace', groups: [2, 10], with: [{ handoff: writeHandoff(content), carry: [] }], reasons: [] }], state });
export default { name: '${name}', apiVersion: 2, ${more} create: (options, host) => { let calls = 0; return { initial: { passes: 0 }, budget, ${planner} }; } };
`;

beforeAll(async () => {
  project = await createProject({
    'good.mjs': module(
      'good',
      `plan: async ({ transcript, request, state }) => {
        calls++;
        const text = [calls, options.word, transcript.totalTokens, host.tokens.countText('a few words of text'), transcript.request?.from, host.redact('password=hunter2hunter2'), request.focusTopic].join(' | ');
        host.emit({ type: 'warning', engine: 'somebody else', message: 'planning for ' + host.dialect });
        return fold(text, { passes: state.passes + 1 });
      }, status: (state) => ({ seen: state.passes })`,
    ),
    'typed.ts':
      `const name: string = 'typed';\n${module('typed', `plan: async ({ state }: { state: unknown }) => fold('typed', state)`).replaceAll('=> { let calls', ': any => { let calls')}`.replace(
        /\((\{ contextLength \})\)/,
        '($1: { contextLength: number })',
      ),
    'summarizing.mjs': module(
      'summarizing',
      `plan: async ({ transcript, request, state }) => {
        const material = { messages: [], previousSummary: null, template: { name: 't', sections: [] }, focusTopic: null };
        try {
          const { text } = await host.summarizer.summarize({ prompt: 'Summarize: password=hunter2hunter2', budgetTokens: 50, material, signal: request.signal });
          return fold(text + ' by ' + host.summarizer.id, state);
        } catch (error) {
          return fold('failed with ' + error.status + ': ' + error.message, state);
        }
      }`,
    ),
    'tools.mjs': module(
      'tools',
      `plan: async ({ state }) => fold('x', state),
      tools: { schemas: [{ type: 'function', function: { name: 'recall' } }], handle: async (name, input, { messages }) => JSON.stringify({ name, input, messages: messages.length }) },
      session: { start: async ({ sessionId }) => ({ passes: sessionId.length }) }`,
    ),
    'options.mjs': module(
      'options',
      `plan: async ({ state }) => fold('x', state)`,
      `options: { '~standard': { version: 1, vendor: 'hand', validate: (value) => typeof value.size === 'number' ? { value } : { issues: [{ message: 'expected a number', path: ['size'] }] } } },`,
    ),
    'loop.mjs': module('loop', 'plan: async () => { for (;;); }'),
    'budget-loop.mjs': module('budget-loop', 'plan: async () => null').replace(
      'budget, plan',
      'budget: () => { for (;;); }, plan',
    ),
    'create-loop.mjs': module('create-loop', `plan: async ({ state }) => fold('x', state)`).replace(
      '{ let calls',
      '{ for (;;); let calls',
    ),
    'create-stuck.mjs': module('create-stuck', `plan: async ({ state }) => fold('x', state)`).replace(
      'return { initial',
      'return new Promise(() => {}); return { initial',
    ),
    'migrate-loop.mjs': module(
      'migrate-loop',
      `plan: async ({ state }) => fold('migrated', state)`,
      'stateVersion: 2, migrate: () => { for (;;); },',
    ),
    'async-parts.mjs': module(
      'async-parts',
      `plan: async ({ state, budget }) => fold('threshold ' + budget.thresholdTokens, state)`,
      'stateVersion: 2, migrate: async (state) => ({ passes: state.passes + 10 }),',
    )
      .replace('budget, plan', 'budget: async (model) => { await pause(); return budget(model); }, plan')
      .replace('create: (options, host) => {', 'create: async (options, host) => { await pause();')
      .replace('const fold', 'const pause = () => new Promise((resolve) => setTimeout(resolve, 10));\nconst fold'),
    'hoarder.mjs': module(
      'hoarder',
      `plan: async () => { const kept = []; for (let held = 0; held < 2e9; held += 8e6) kept.push(new Array(1e6).fill(held)); return fold(String(kept.length), null); }`,
    ),
    'small-objects.mjs': module(
      'small-objects',
      `plan: async () => { const kept = new Map(); for (let i = 0; i < 2e7; i++) kept.set(i, { text: 'number ' + i, more: [i] }); return fold(String(kept.size), null); }`,
    ),
    'exits.mjs': module('exits', 'plan: async () => process.exit(3)'),
    'late.mjs': module(
      'late',
      `plan: () => { setTimeout(() => { throw new Error('much later'); }, 5); return new Promise(() => {}); }`,
    ),
    'waiting.mjs': module(
      'waiting',
      `plan: async ({ request, state }) => request.focusTopic === 'wait' ? new Promise(() => {}) : fold('served', state)`,
    ),
    'stuck.mjs': module('stuck', 'plan: () => new Promise(() => {})'),
    'throws.mjs': module('throws', `plan: async () => { throw new Error('out of ideas'); }`),
    'uncloneable.mjs': module('uncloneable', 'plan: async () => ({ edits: [], state: { write() {} } })'),
    'no-engine.mjs': 'export default 42;',
    'never-loads.mjs': 'for (;;);',
    'odd-events.mjs': module(
      'odd-events',
      `plan: async ({ state }) => { for (const event of [null, 1, { type: 'x', at: new Date(), n: NaN }]) host.emit(event); return fold('served', state); }`,
    ),
  });
}, 60_000);
afterAll(() => Promise.all([project.remove(), thread.remove()]));

interface Trial {
  readonly engine: ContextEngine;
  readonly events: ContextEvent[];
}

async function trial(
  name: string,
  parts: Partial<EngineHost> = {},
  {
    deadlines,
    worker,
    engines,
  }: Pick<RegistryOptions, 'deadlines'> & { worker?: WorkerOptions; engines?: object } = {},
): Promise<Trial> {
  const events: ContextEvent[] = [];
  const registry = createRegistry({
    builtIns: [plugin('safe', () => trimmer('Written by the fallback.'))],
    fallback: 'safe',
    onEvent: (event) => events.push(event),
    resolve: nodeResolver({ directory: project.directory, worker: { thread: thread.url, graceMs: 50, ...worker } }),
    deadlines,
  });
  const config = { engine: `./${name}`, isolate: 'worker', engines: engines as never } as const;
  return { engine: await registry.create(config, createEngineHost(parts)), events };
}

const inserted = async ({ engine }: Trial, request = {}): Promise<string> => {
  const result = await engine.compress(conversation(), request);
  const at = result.provenance.output.findIndex(({ kind }) => kind === 'inserted');
  return readHandoff(result.messages[at] as Message)?.body ?? '';
};

describe('an engine in a worker', () => {
  it('plans with the options, token counts and requests of its host', async () => {
    const subject = await trial(
      'good.mjs',
      {
        tokens: { countText: (text) => text.length, countMessage: () => 100 },
        isRequest: (_message, index) => index === 1,
      },
      { engines: { good: { word: 'hello' } } },
    );
    const said = (await inserted(subject, { focusTopic: 'files' })).split(' | ');
    expect(said[0]).toBe('1');
    expect(said[1]).toBe('hello');
    expect(Number(said[2])).toBe(2_800);
    expect(Number(said[3])).toBeGreaterThan(0);
    expect(said.slice(4, 5)).toEqual(['1']);
    expect(said[5]).not.toContain('hunter2hunter2');
    expect(said.slice(6)).toEqual(['files']);
    expect(subject.engine.status().details).toEqual({ seen: 1 });
    expect(subject.events).toContainEqual({ type: 'warning', engine: 'good', message: 'planning for openai' });
    expect(await inserted(subject)).toMatch(/^2 \|/);
  });

  it('knows the dialect, and its plan is checked against it', async () => {
    const { engine, events } = await trial('good.mjs', { dialect: 'strict' });
    await engine.compress(conversation());
    expect(events).toContainEqual({ type: 'warning', engine: 'good', message: 'planning for strict' });
    expect(events).toContainEqual({
      type: 'engine-quarantined',
      engine: 'good',
      fallback: 'safe',
      reason: expect.stringMatching(/invariant 2: roles-not-alternating/),
    });
  });

  it('can be written in TypeScript', async () => {
    expect(await inserted(await trial('typed.ts'))).toBe('typed');
  });

  it('gets summaries from the main thread, masked by the host', async () => {
    const prompts: string[] = [];
    const summarizer: Summarizer = {
      id: 'ours',
      summarize: async ({ prompt }) => {
        prompts.push(prompt);
        return { text: 'A summary' };
      },
    };
    expect(await inserted(await trial('summarizing.mjs', { summarizer }))).toBe('A summary by ours');
    expect(prompts[0]).toMatch(/^Summarize: /);
    expect(prompts[0]).not.toContain('hunter2hunter2');
  });

  it('gets the error of a failed summarizer', async () => {
    const summarizer: Summarizer = {
      id: 'ours',
      summarize: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429 })),
    };
    expect(await inserted(await trial('summarizing.mjs', { summarizer }))).toBe('failed with 429: slow down');
  });

  it('offers tools and takes part in sessions', async () => {
    const { engine } = await trial('tools.mjs');
    await engine.onSessionStart({ sessionId: 'four' });
    expect(engine.snapshot().state.planner).toEqual({ passes: 4 });
    expect(engine.toolSchemas()).toEqual([{ type: 'function', function: { name: 'recall' } }]);
    expect(await engine.handleToolCall('recall', { a: 1 }, { messages: conversation() })).toBe(
      '{"name":"recall","input":{"a":1},"messages":28}',
    );
  });

  it('restarts if it is called after the end of its session', async () => {
    const subject = await trial('good.mjs');
    expect(await inserted(subject)).toMatch(/^1 \|/);
    await subject.engine.onSessionEnd(conversation());
    expect(await inserted(subject)).toMatch(/^1 \|/);
  });

  it('has its options checked in the worker', async () => {
    await expect(trial('options.mjs', {}, { engines: { options: { size: 'L' } } })).rejects.toThrow(
      'context.engines.options.size: expected a number; given: "L"',
    );
  });

  it('is rejected if its module is not an engine', async () => {
    await expect(trial('no-engine.mjs')).rejects.toMatchObject({ code: 'ENGINE_INVALID' });
  });

  it('is rejected in time if its module never finishes loading', async () => {
    await expect(trial('never-loads.mjs', {}, { worker: { loadingMs: 500 } })).rejects.toMatchObject({
      code: 'ENGINE_INVALID',
      message: 'The engine module "./never-loads.mjs" was found but cannot be loaded: it did not load within 0.5 s',
    });
  });

  it('can emit invalid events without effect', async () => {
    const subject = await trial('odd-events.mjs');
    expect(await inserted(subject)).toBe('served');
    expect(subject.events.map(({ type }) => type)).toEqual(['compress-start', 'compress-end']);
  });

  it('stops at once when the caller cancels, is terminated if it ignores the signal, and serves again', async () => {
    const subject = await trial('waiting.mjs');
    const controller = new AbortController();
    const call = subject.engine.compress(conversation(), { focusTopic: 'wait', signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect((await call).outcome).toBe('aborted');
    expect(await inserted(subject)).toBe('served');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await inserted(subject, { force: true })).toBe('served');
    expect(subject.events.some(({ type }) => type === 'engine-quarantined')).toBe(false);
  });
});

describe('the border to a worker is asynchronous', () => {
  it('creates, budgets and migrates with promises', async () => {
    const { engine } = await trial('async-parts.mjs');
    await engine.updateModel({ id: 'm', contextLength: 9_000 });
    expect(engine.state.thresholdTokens).toBe(4_500);
    const snapshot = engine.snapshot();
    await engine.restore({ ...snapshot, version: 1, state: { ...snapshot.state, planner: { passes: 5 } } });
    expect(engine.snapshot().state.planner).toEqual({ passes: 15 });
    expect(await inserted({ engine, events: [] }, { force: true })).toBe('threshold 4500');
  });

  /** Runs `work` and returns the longest time in which the event loop of this process did not run, in milliseconds. */
  async function longestStop(work: () => Promise<unknown>): Promise<number> {
    let last = performance.now();
    let longest = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 10);
    await work();
    clearInterval(timer);
    return longest;
  }

  it.each<[string, string, (trial: Trial) => Promise<unknown>]>([
    ['create, in a loop', 'create-loop', async () => undefined],
    ['create, for ever', 'create-stuck', async () => undefined],
    ['budget', 'budget-loop', ({ engine }) => engine.updateModel({ id: 'm', contextLength: 9_000 })],
    [
      'migrate',
      'migrate-loop',
      ({ engine }) => {
        const snapshot = engine.snapshot();
        return engine.restore({ ...snapshot, version: 1 });
      },
    ],
  ])('ends an engine that hangs in %s, and the event loop keeps running', async (_what, name, hang) => {
    const deadlines = { stallMs: 1_500, totalMs: 5_000 };
    let subject: Trial | undefined;
    let report: string | undefined;
    const stop = await longestStop(async () => {
      subject = await trial(`${name}.mjs`, {}, { deadlines });
      await hang(subject);
      report = (await subject.engine.compress(conversation())).report.engine;
    });
    expect(report).toBe('safe');
    expect(subject!.events.filter(({ type }) => type === 'engine-quarantined')).toEqual([
      expect.objectContaining({ engine: name, reason: expect.stringMatching(/no progress for [12] s/) }),
    ]);
    // A blocking wait would stop the event loop for the whole 1,500 ms.
    expect(stop).toBeLessThan(1_000);
  });
});

type Misbehaviour = [what: string, file: string, reason: string | RegExp, options: Parameters<typeof trial>[2]];

describe('the process survives, the transcript stays unchanged and the fallback serves when an engine in a worker', () => {
  const soon = { deadlines: { stallMs: 1_000, totalMs: 5_000 } };

  const smallObjects: Misbehaviour = [
    'takes 2 GB of memory in small objects',
    'small-objects.mjs',
    /more than 128 MB of memory/,
    { worker: { memoryMb: 128 } },
  ];

  it.each<Misbehaviour>([
    ['loops without end', 'loop.mjs', 'it has made no progress for 1 s', soon],
    ['never settles', 'stuck.mjs', 'it has made no progress for 1 s', soon],
    ['loops without end in its budget', 'budget-loop.mjs', 'it has made no progress for 1 s', soon],
    ['takes 2 GB of memory in long arrays', 'hoarder.mjs', /more than 128 MB of memory/, { worker: { memoryMb: 128 } }],
    // Near the limit V8 first tries to free small objects, which takes a while.
    ...(process.env.PALIMPSEST_DEEP ? [smallObjects] : []),
    ['ends its process', 'exits.mjs', 'its worker ended with exit code 3', undefined],
    ['throws after its answer', 'late.mjs', 'its worker crashed: much later', undefined],
    ['throws', 'throws.mjs', 'out of ideas', undefined],
    ['returns what is not JSON', 'uncloneable.mjs', /could not be cloned/, undefined],
  ])('%s', async (_name, file, reason, options) => {
    const { engine, events } = await trial(file, {}, options);
    const messages = conversation();
    const before = structuredClone(messages);
    const result = await engine.compress(messages);
    expect(messages).toEqual(before);
    expect(events.filter(({ type }) => type === 'engine-quarantined')).toEqual([
      {
        type: 'engine-quarantined',
        engine: file.replace('.mjs', ''),
        fallback: 'safe',
        reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
      },
    ]);
    expect(result.report.engine).toBe('safe');
    expect(result.outcome).toBe('compressed');
  });
});
