import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { describe, expect, it } from 'vitest';
import { contextProcessor } from '../src/index.ts';

type Prompt = readonly { readonly role: string; readonly content: unknown }[];

/** A model as Mastra's own classes are: what it calls is in a private field. */
class PrivateModel {
  readonly specificationVersion = 'v2';
  readonly modelId = 'm';
  readonly #sent: Prompt[];
  readonly #window: number;

  constructor(sent: Prompt[], window = 100_000) {
    this.#sent = sent;
    this.#window = window;
  }

  async doGenerate({ prompt }: { readonly prompt: Prompt }) {
    this.#sent.push(prompt);
    const tokens = Math.ceil(JSON.stringify(prompt).length / 4);
    if (tokens > this.#window) throw new Error(`prompt is too long: ${tokens} tokens > ${this.#window} maximum`);
    const usage = { inputTokens: tokens, outputTokens: 1 };
    return { content: [{ type: 'text', text: 'Yes.' }], finishReason: 'stop', usage };
  }

  async doStream(): Promise<{ readonly stream: ReadableStream }> {
    throw new Error('Not used here.');
  }

  describe(): number {
    return this.#sent.length;
  }
}

const make = (window?: number) => {
  const session = createSession({
    engine: (host) =>
      createRegistry().create(
        { engine: 'compressor', engines: { compressor: { threshold: 0.5, minimumThreshold: 0 } } },
        host,
      ),
    model: { id: 'm', contextLength: 8_000 },
    summaries: 'rules',
  });
  const sent: Prompt[] = [];
  return { session, sent, model: new PrivateModel(sent, window), context: contextProcessor(session) };
};

/** A prompt as Mastra builds it, anew for each step. */
const promptOf = (turns: number): Prompt => [
  { role: 'system', content: 'You are a coding agent.' },
  ...Array.from({ length: turns }, (_, at) => [
    { role: 'user', content: [{ type: 'text', text: `Request ${at}: ${'please look at it. '.repeat(20)}` }] },
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${at}. ${'It is there. '.repeat(20)}` }] },
  ]).flat(),
  { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
];

describe('contextProcessor', () => {
  it('gives a step a model of the same class, whose methods work', async () => {
    const { context, model } = make();
    const own = (await context.processInputStep({ model }))!.model;
    expect(own).toBeInstanceOf(PrivateModel);
    expect(own.constructor.name).toBe('PrivateModel');
    expect(own.describe()).toBe(0);
  });

  it('wraps a frozen model whose calls are its own properties', async () => {
    const { context, model, sent } = make();
    const frozen = Object.freeze({ ...model, doGenerate: model.doGenerate.bind(model), doStream: model.doStream });
    const own = (await context.processInputStep({ model: frozen }))!.model;
    const prompt = promptOf(2);
    await own.doGenerate({ prompt });
    expect([own.modelId, 'modelId' in own, sent]).toEqual(['m', true, [prompt]]);
  });

  it('reads and writes the fields of the model', async () => {
    const { context, model } = make();
    const labelled = Object.assign(model, { label: 'a' });
    const own = (await context.processInputStep({ model: labelled }))!.model;
    own.label = 'b';
    expect([own.label, labelled.label]).toEqual(['b', 'b']);
    expect(Object.keys(own)).toEqual(['specificationVersion', 'modelId', 'label']);
    expect({ ...own }).toEqual({ ...labelled });
  });

  it('sends a prompt that fits as it is', async () => {
    const { session, context, model, sent } = make();
    const prompt = promptOf(2);
    await (await context.processInputStep({ model }))!.model.doGenerate({ prompt });
    expect(sent).toEqual([prompt]);
    expect(session.records()).toEqual([]);
  });

  it('sends a smaller prompt in the form of prompts, and does not change the one it got', async () => {
    const { session, context, model, sent } = make();
    const prompt = promptOf(60);
    const before = JSON.stringify(prompt);
    await (await context.processInputStep({ model }))!.model.doGenerate({ prompt });
    expect(JSON.stringify(prompt)).toBe(before);
    expect(session.records().length).toBe(1);
    const [smaller] = sent;
    expect(smaller!.length).toBeLessThan(prompt.length / 2);
    expect(smaller![0]).toEqual(prompt[0]);
    expect(smaller!.slice(1).every(({ content }) => Array.isArray(content))).toBe(true);
    expect(JSON.stringify(smaller!.at(-1))).toContain('And now?');
  });

  it('sends a smaller prompt after a refusal for its size', async () => {
    const { context, model, sent } = make(3_000);
    await (await context.processInputStep({ model }))!.model.doGenerate({ prompt: promptOf(20) });
    expect(sent.length).toBeGreaterThan(1);
    expect(JSON.stringify(sent.at(-1)).length).toBeLessThan(JSON.stringify(sent[0]).length);
  });

  it('does nothing where Mastra calls no model', async () => {
    const { context } = make();
    expect(await context.processInputStep({ model: undefined })).toBeUndefined();
  });

  it('reports a step whose model was replaced, because it cannot prepare its prompt', async () => {
    const { session, context, model } = make();
    const reasons: string[] = [];
    session.on((event) => event.type === 'request-passed-through' && reasons.push(event.reason));
    const own = (await context.processInputStep({ model }))!.model;
    await context.processLLMRequest({ model: own });
    expect(reasons).toEqual([]);
    await context.processLLMRequest({ model });
    expect(reasons).toEqual([expect.stringContaining('prepareStep, has replaced the model')]);
  });
});
