import { Agent, type AgentInputItem, MemorySession, type Model, OpenAIProvider, Runner } from '@openai/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../test/loopback-server/index.ts';
import { contextModel, contextModelProvider } from '../src/index.ts';
import { agentOn } from './driver.ts';
import { filler, makeSession } from './make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const runner = new Runner({ tracingDisabled: true });
const provider = (options: { useResponses?: boolean } = {}): OpenAIProvider =>
  new OpenAIProvider({ apiKey: 'test', baseURL: server.openaiUrl, ...options });
const problems = (): readonly string[] => server.received.flatMap((request) => request.problems);

/** A conversation of about 300 tokens for each turn. */
function turns(count: number): AgentInputItem[] {
  return Array.from({ length: count }, (_, at): AgentInputItem[] => [
    { role: 'user', content: `Request ${at}: what is in file ${at}? ${filler(150, at)}` },
    { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: filler(150, `answer ${at}`) }] },
  ]).flat();
}

describe('contextModel', () => {
  it('leaves the stored history of the SDK whole, also where it is compacted in the first request of a run', async () => {
    const { session } = makeSession(4_000);
    const stored = new MemorySession();
    const tools = [
      {
        name: 'read_file',
        description: 'Reads a file.',
        parameters: { properties: { path: { type: 'string' } } },
        run: ({ path }: Readonly<Record<string, unknown>>) => filler(300, String(path)),
      },
    ];
    const model = await provider({ useResponses: false }).getModel('m');
    const agent = await agentOn(model, { session, system: 'You read files.', tools, maxTokens: 500, recall: false });
    server.play((_, number): Behaviour => {
      const calls = [{ id: `call_${number}`, name: 'read_file', arguments: `{"path":"src/${number}.ts"}` }];
      return number % 3 < 2 ? { kind: 'answer', text: '', calls } : { kind: 'answer', text: `Part ${number} is done.` };
    });
    for (let part = 0; part < 8; part++)
      await runner.run(agent, `Part ${part}: read on. ${filler(200, `part ${part}`)}`, { session: stored });
    expect(problems()).toEqual([]);
    expect(session.records().length).toBeGreaterThan(1);
    const items = await stored.getItems();
    expect(items.length).toBe(8 * 6);
    const text = JSON.stringify(items);
    for (let part = 0; part < 8; part++) expect(text).toContain(`Part ${part}: read on.`);
    expect(text).not.toContain('[CONTEXT HANDOFF');
    expect(server.received.at(-1)!.text).toContain('[CONTEXT HANDOFF');
  });

  it('sends a request that continues a stored conversation unchanged, and reports it', async () => {
    const { session, events } = makeSession();
    server.play(() => ({ kind: 'answer', text: 'Done.' }));
    const agent = new Agent({ name: 'a', model: contextModel(session, await provider().getModel('m')) });
    const { finalOutput } = await runner.run(agent, turns(40), { previousResponseId: 'resp_1' });
    expect(finalOutput).toBe('Done.');
    expect(session.records()).toEqual([]);
    expect(server.received[0]!.body.previous_response_id).toBe('resp_1');
    expect(events).toMatchObject([{ type: 'request-passed-through', reason: expect.stringContaining('"resp_1"') }]);
  });

  it('makes the next request smaller after a refusal inside a stream', async () => {
    const { session } = makeSession(64_000);
    server.play((_, number) =>
      number === 0 ? { kind: 'stream-error', code: 'context_length_exceeded' } : { kind: 'answer', text: 'Done.' },
    );
    const agent = new Agent({ name: 'a', model: contextModel(session, await provider().getModel('m')) });
    const input = [...turns(20), { role: 'user' as const, content: 'And now?' }];
    const refused = await runner.run(agent, input, { stream: true });
    await expect(refused.completed).rejects.toThrow();
    expect((await runner.run(agent, input)).finalOutput).toBe('Done.');
    expect(session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);
    expect(problems()).toEqual([]);
  });

  it('passes a text on as it is, and instructions that a hook rebuilt', async () => {
    const { session } = makeSession(8_000, { hooks: { afterCompaction: () => ({ system: 'You are patient.' }) } });
    server.play(() => ({ kind: 'answer', text: 'Done.' }));
    const agent = new Agent({
      name: 'a',
      instructions: 'You are quick.',
      model: contextModel(session, await provider().getModel('m')),
    });
    await runner.run(agent, 'Hello.');
    await runner.run(agent, [...turns(40), { role: 'user', content: 'And now?' }]);
    expect(server.received.map(({ body }) => body.instructions)).toEqual(['You are quick.', 'You are patient.']);
    expect(problems()).toEqual([]);
  });

  it('lets go of a stream that is not read to its end', async () => {
    const { session } = makeSession();
    let isReleased = false;
    const endless: Model = {
      getResponse: () => Promise.reject(new Error('not called')),
      async *getStreamedResponse() {
        try {
          for (;;) yield { type: 'output_text_delta', delta: 'word ' };
        } finally {
          isReleased = true;
        }
      },
    };
    const request = {
      input: 'Hello.',
      modelSettings: {},
      tools: [],
      handoffs: [],
      outputType: 'text' as const,
      tracing: false,
    };
    for await (const event of contextModel(session, endless).getStreamedResponse(request)) {
      expect(event).toEqual({ type: 'output_text_delta', delta: 'word ' });
      break;
    }
    expect(isReleased).toBe(true);
  });
});

describe('contextModelProvider', () => {
  it('keeps agents that hand over to each other in one conversation, each in the window of its model', async () => {
    const { session } = makeSession(64_000);
    server.play((_, number) =>
      number === 0
        ? { kind: 'answer', text: '', calls: [{ id: 'call_0', name: 'transfer_to_Coder', arguments: '{}' }] }
        : { kind: 'answer', text: 'The bug is fixed.' },
    );
    const modelProvider = contextModelProvider(session, provider(), {
      model: (name) => (name === 'small' ? { id: 'small', contextLength: 6_000 } : undefined),
    });
    const coder = new Agent({ name: 'Coder', instructions: 'You write code.', model: 'small' });
    const triage = Agent.create({
      name: 'Triage',
      instructions: 'You assign work.',
      model: 'large',
      handoffs: [coder],
    });
    const { finalOutput, history } = await new Runner({ modelProvider, tracingDisabled: true }).run(triage, [
      ...turns(30),
      { role: 'user', content: 'Fix the bug in the parser.' },
    ]);
    expect(finalOutput).toBe('The bug is fixed.');
    expect(problems()).toEqual([]);
    expect(server.received.map(({ body }) => [body.model, body.instructions])).toEqual([
      ['large', 'You assign work.'],
      ['small', 'You write code.'],
    ]);
    // Only the second model's window is too small for the conversation.
    expect(session.records().length).toBe(1);
    expect(server.received[1]!.text.length).toBeLessThan(server.received[0]!.text.length / 2);
    expect(server.received[1]!.text).toContain('Fix the bug in the parser.');
    expect(history.length).toBe(64);
  });
});
