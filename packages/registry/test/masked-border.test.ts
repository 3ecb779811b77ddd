import type { ContextEngine, ContextEvent, EngineHost, Message, SummarizeRequest, Summarizer } from '@palimpsest/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeResolver } from '../src/config.ts';
import { createEngineHost, createRegistry } from '../src/index.ts';
import { conversation } from './conversation.ts';
import { createProject, type Project } from './project.ts';
import { buildThreadScript } from './thread-script.ts';

const thread = await buildThreadScript();

/** A secret that no built-in rule recognizes, only the host's own redactor. */
const secret = (place: string): string => `badger~${place}~tunnel`;
const redact = (text: string): string => text.replace(/badger~[\w-]+~tunnel/g, '[HOUSE RULE]');
const leaked = (value: unknown): string[] => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.match(/badger~[\w-]+~tunnel/g) ?? [];
};

/** A conversation with a secret in every text field. */
function plantedConversation(exchanges?: number): Message[] {
  const messages = conversation(exchanges);
  const [system, first, call, result] = messages;
  const input = JSON.stringify({ path: 'src/0.ts', note: secret('call-input') });
  return [
    { ...system!, content: `You are careful. ${secret('system')}` },
    {
      ...first!,
      name: secret('name'),
      content: [
        { type: 'text', text: `Please read the files. ${secret('part')}` },
        { type: 'image_url', image_url: { url: `https://example.com/${secret('image')}` } },
      ],
    },
    {
      ...call!,
      reasoning_content: secret('reasoning'),
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'read_file', arguments: input } }],
    },
    { ...result!, content: `${result!.content}${secret('result')}` },
    ...messages.slice(4, -1),
    { role: 'user', content: `Now fix the third one. ${secret('request')}` },
  ] as Message[];
}

/**
 * An engine that writes everything it is given into a file, and plants a secret wherever an engine can put text.
 */
const engineModule = (): string => `
${thread.importWriteHandoff}
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const s = (place) => 'badger~' + place + '~tunnel';
const budget = ({ contextLength, id }) => { saw({ budgetModel: id }); return { contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0, warnings: [s('budget-warning')] }; };
const log = new URL(isMainThread ? './log.txt' : './log2.txt', import.meta.url);
const saw = (value) => appendFileSync(log, JSON.stringify(value) + '\\n');
export default {
  name: 'leaky', apiVersion: 2, stateVersion: 2,
  migrate: (state) => { saw({ migrated: state }); return { kept: s('migrated'), passes: 0 }; },
  create: (options, host) => {
    return {
      initial: { kept: s('initial'), passes: 0, [s('initial-key')]: 1 },
      budget,
      async plan({ transcript, source, request: { signal, ...request }, state }) {
        saw({ request, state, transcript: transcript.messages, source: source?.transcript.messages, writer: host.summarizer.id });
        if (request.focusTopic?.includes('throw')) throw new Error(s('thrown') + ' ' + 'x'.repeat(500));
        const material = {
          messages: [{ role: 'user', content: s('material-message'), tool_calls: [{ id: 'a', type: 'function', function: { name: 'n', arguments: s('material-call') } }] }],
          previousSummary: s('material-previous'), focusTopic: s('material-topic'),
          template: { name: s('template'), sections: [{ heading: s('heading'), ask: s('ask'), empty: s('empty') }] },
        };
        const summaries = [];
        for (const which of ['summarizer', 'fallbackSummarizer'])
          try { const answer = await host[which].summarize({ prompt: 'P ' + s('prompt'), budgetTokens: 10, material, signal }); summaries.push(answer); }
          catch (error) { summaries.push({ message: error.message, code: error.code, status: error.status }); }
        saw({ summaries });
        for (const event of [
          { type: 'warning', engine: 'x', message: s('warning') },
          { type: 'compress-phase', phase: s('phase'), durationMs: 1, reclaimedTokens: 1 },
          { type: 'mine', [s('event-key')]: { deep: [s('event-value')] } },
        ]) host.emit(event);
        const last = transcript.messages.length - 1;
        const tool = transcript.messages.findIndex(({ role }) => role === 'tool');
        const call = tool - 1;
        return {
          edits: [
            { kind: 'rewrite', at: tool, set: { content: 'stub ' + s('stub') }, reasons: [{ code: 'stub', note: s('reason') }], extra: s('edit-field') },
            { kind: 'rewrite', at: call, set: { tool_calls: [{ ...transcript.messages[call].tool_calls[0], function: { name: 'read_file', arguments: JSON.stringify({ path: s('arguments'), escaped: 1 }).replace('badger', '\\\\u0062adger') } }] }, reasons: [] },
            { kind: 'replace', groups: [4, 8], with: [{ handoff: writeHandoff('notes ' + s('inserted')), carry: [] }], reasons: [{ code: s('reason-code') }] },
          ],
          state: { kept: s('state'), passes: state.passes + 1, list: [[s('state-list')]] },
          notes: { reason: s('notes-reason'), summarizedBy: s('notes-by'), warnings: [s('notes-warning')], phases: [{ name: s('phase-name'), durationMs: 1, reclaimedTokens: 1, messages: 1 }],
            failure: { class: s('failure-class'), message: s('failure'), cooldownMs: 0 } },
        };
      },
      status: () => ({ told: s('status') }),
      tools: {
        schemas: [{ type: 'function', function: { name: 'recall', description: s('tool-description') } }],
        handle: async (name, input, context) => { saw({ input, shown: context.messages }); if (input.fail) throw new Error(s('tool-error')); return JSON.stringify({ found: s('tool-answer') }); },
      },
      session: { start: async (info) => { saw({ info }); return { kept: s('session-state'), passes: 0 }; }, turn: async (messages) => saw({ turn: messages }), end: async (messages) => saw({ end: messages }) },
    };
  },
};
`;

let project: Project;
beforeAll(async () => {
  project = await createProject({
    'leaky.mjs': engineModule(),
    'picky.mjs': engineModule().replace(
      "name: 'leaky',",
      `name: 'picky', options: { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ issues: [{ message: s('issue'), path: [s('path')] }] }) } },`,
    ),
    'failing.mjs': engineModule().replace(
      'return {\n      initial',
      "throw Object.assign(new Error(s('created')), { code: s('code') });\n    return {\n      initial",
    ),
    'log.txt': '',
    'log2.txt': '',
  });
}, 60_000);
afterAll(() => Promise.all([project.remove(), thread.remove()]));

interface Trial {
  readonly engine: ContextEngine;
  readonly events: ContextEvent[];
  readonly asked: Omit<SummarizeRequest, 'signal'>[];
  /** Everything the engine received, as text. */
  seen(): Promise<string>;
}

async function trial(isolate: 'none' | 'worker', log: string): Promise<Trial> {
  const events: ContextEvent[] = [];
  const asked: Omit<SummarizeRequest, 'signal'>[] = [];
  const summarizer: Summarizer = {
    id: `model ${secret('summarizer')}`,
    summarize: async ({ signal: _, ...request }) => {
      asked.push(request);
      return { text: `Summary with ${secret('summary')}` };
    },
  };
  const failing: Summarizer = {
    id: 'failing',
    summarize: () => Promise.reject(Object.assign(new Error(`refused ${secret('refusal')}`), { status: 429 })),
  };
  const host: Partial<EngineHost> = {
    redact,
    summarizer,
    fallbackSummarizer: failing,
    emit: (event) => events.push(event),
  };
  const registry = createRegistry({
    resolve: nodeResolver({ directory: project.directory, worker: { thread: thread.url } }),
  });
  const path = `${project.directory}/${log}`;
  const engine = await registry.create(
    { engine: './leaky.mjs', isolate, fallback: 'compressor' },
    createEngineHost(host),
  );
  const { readFile } = await import('node:fs/promises');
  return { engine, events, asked, seen: () => readFile(path, 'utf8') };
}

describe.each([
  ['in this process', 'none', 'log.txt'],
  ['in a worker', 'worker', 'log2.txt'],
] as const)(
  'secrets only the redactor of the host knows do not cross the border to an engine %s',
  (_where, isolate, log) => {
    let subject: Trial;
    let result: Awaited<ReturnType<ContextEngine['compress']>>;
    beforeAll(async () => {
      subject = await trial(isolate, log);
      const { engine } = subject;
      await engine.onSessionStart({
        sessionId: secret('session'),
        model: { id: secret('model'), contextLength: 9_000 },
      });
      result = await engine.compress(conversation(), {
        focusTopic: `files ${secret('topic')}`,
        memoryContext: secret('memory'),
      });
    }, 60_000);

    it('outward: request, state, model, session, input of tools, answers and errors of summarizers', async () => {
      const { engine } = subject;
      await engine.handleToolCall('recall', { query: secret('query'), [secret('query-key')]: 1 }, { messages: [] });
      const snapshot = engine.snapshot();
      const stale = { ...snapshot, version: 1, state: { ...snapshot.state, planner: { old: secret('old-state') } } };
      await engine.restore(stale);
      await engine.restore({
        ...snapshot,
        state: { ...snapshot.state, planner: { kept: secret('stored'), passes: 3, [secret('stored-key')]: 1 } },
      });
      await engine.compress(conversation(14));
      const seen = await subject.seen();
      for (const told of [
        'focusTopic',
        'memoryContext',
        'state',
        'info',
        'input',
        'summaries',
        'migrated',
        'budgetModel',
        '"writer":"model [HOUSE RULE]"',
      ])
        expect(seen).toContain(told);
      expect(seen).toContain('[HOUSE RULE]');
      expect(seen).toContain('refused [HOUSE RULE]');
      expect(leaked(seen)).toEqual([]);
    });

    it('outward: the transcript, its source, and the messages of tools, turns and ends', async () => {
      const { engine } = await trial(isolate, log);
      await engine.updateModel({ id: 'some', contextLength: 9_000 });
      const planted = plantedConversation();
      const before = structuredClone(planted);
      const origins = planted.map((_, from) => ({ kind: 'original', from }) as const);
      const source = { messages: planted, origins };
      const { messages } = await engine.compress(planted, { source, force: true });
      await engine.onTurn(planted, null);
      await engine.handleToolCall('recall', {}, { messages: planted });
      await engine.onSessionEnd(planted);
      const seen = await subject.seen();
      for (const told of ['"transcript":[', '"source":[', '"shown":[', '"turn":[', '"end":['])
        expect(seen).toContain(told);
      expect(leaked(seen)).toEqual([]);
      // Masking is for the engine only: the caller's messages and the current request stay as they are.
      expect(planted).toEqual(before);
      expect(messages.at(-1)).toBe(planted.at(-1));
      expect(messages[0]).toBe(planted[0]);
    });

    it('outward: summarizer requests, including their material', () => {
      expect(subject.asked.length).toBeGreaterThan(0);
      expect(subject.asked[0]).toMatchObject({
        prompt: 'P [HOUSE RULE]',
        material: { previousSummary: '[HOUSE RULE]', focusTopic: '[HOUSE RULE]' },
      });
      expect(leaked(subject.asked)).toEqual([]);
    });

    it('inward: messages, edits and reasons', () => {
      expect(result.report.engine).toBe('leaky');
      const texts = JSON.stringify(result.messages);
      expect(texts).toContain('stub [HOUSE RULE]');
      expect(texts).toContain('notes [HOUSE RULE]');
      expect(leaked(result.messages)).toEqual([]);
      expect(leaked(result.edits)).toEqual([]);
      expect(leaked(result.provenance)).toEqual([]);
      for (const { tool_calls: calls } of result.messages as unknown as {
        tool_calls?: { function: { arguments: string } }[];
      }[])
        for (const call of calls ?? []) expect(leaked(JSON.parse(call.function.arguments))).toEqual([]);
    });

    it('inward: report, status, snapshot, tools and events', async () => {
      const { engine, events } = subject;
      expect(result.report).toMatchObject({ reason: '[HOUSE RULE]', failure: { message: '[HOUSE RULE]' } });
      expect(leaked(result.report)).toEqual([]);
      expect(engine.status().details).toEqual({ told: '[HOUSE RULE]' });
      expect(leaked({ ...engine.status(), model: null })).toEqual([]);
      expect(leaked(engine.snapshot())).toEqual([]);
      expect(JSON.stringify(engine.snapshot())).toContain('[HOUSE RULE]');
      expect(leaked(engine.toolSchemas())).toEqual([]);
      expect(await engine.handleToolCall('recall', {}, { messages: [] })).toBe('{"found":"[HOUSE RULE]"}');
      expect(leaked(await engine.handleToolCall('recall', { fail: 1 }, { messages: [] }))).toEqual([]);
      expect(events).toContainEqual({ type: 'warning', engine: 'leaky', message: '[HOUSE RULE]' });
      expect(events).toContainEqual({
        type: 'plugin-event',
        engine: 'leaky',
        name: 'mine',
        data: { '[HOUSE RULE]': { deep: ['[HOUSE RULE]'] } },
      });
      expect(leaked(events)).toEqual([]);
    });

    it('inward: issues of its options, and errors of its creation', async () => {
      const events: ContextEvent[] = [];
      const registry = createRegistry({
        resolve: nodeResolver({ directory: project.directory, worker: { thread: thread.url } }),
      });
      const host = createEngineHost({ redact, emit: (event) => events.push(event) });
      const picky = registry.create({ engine: './picky.mjs', isolate }, host);
      const error = await picky.then(
        () => null,
        (thrown: unknown) => thrown as Error & { details: unknown },
      );
      expect(error?.message).toContain('[HOUSE RULE]');
      expect(leaked([error?.message, error?.stack, error?.details])).toEqual([]);
      const engine = await registry.create({ engine: './failing.mjs', isolate }, host);
      expect(engine.status().engine).toBe('compressor');
      expect(events).toMatchObject([{ type: 'engine-quarantined', reason: '[HOUSE RULE]' }]);
      expect(leaked([events, engine.snapshot()])).toEqual([]);
    });

    it('inward: errors, the quarantine reason, and the same in the snapshot', async () => {
      const { engine, events } = subject;
      const served = await engine.compress(conversation(20), { focusTopic: 'throw' });
      expect(events.some((event) => event.type === 'engine-quarantined' && event.reason.includes('[HOUSE RULE]'))).toBe(
        true,
      );
      expect(leaked([events, served.report, engine.snapshot()])).toEqual([]);
      await engine.onSessionEnd([]);
    });
  },
);

describe('a built-in engine', () => {
  it('masks the focus topic', async () => {
    const engine = await createRegistry().create({}, createEngineHost({ redact }));
    await engine.updateModel({ id: 'some', contextLength: 4_000 });
    const request = { focusTopic: secret('topic'), force: true };
    const first = await engine.compress(conversation(), request);
    expect(first.outcome).not.toBe('unchanged');
    expect(leaked(engine.snapshot())).toEqual([]);
    expect(engine.snapshot().state.settled?.focusTopic).toBe('[HOUSE RULE]');
    expect((await engine.compress(first.messages as never, request)).report.reason).toBe(
      'Nothing has been added since the last compression.',
    );
  });
});
