import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { describe, expect, it } from 'vitest';
import { contextProcessor } from '../src/index.ts';

const make = () => {
  const session = createSession({
    engine: (host) =>
      createRegistry().create({ engine: 'compressor', engines: { compressor: { minimumThreshold: 0 } } }, host),
    model: { id: 'm', contextLength: 8_000 },
  });
  return { session, context: contextProcessor(session) };
};

/** A prompt as Mastra builds it, anew for each step. */
const promptOf = (turns: number) => [
  { role: 'system', content: 'You are a coding agent.' },
  ...Array.from({ length: turns }, (_, at) => [
    { role: 'user', content: [{ type: 'text', text: `Request ${at}: ${'please look at it. '.repeat(20)}` }] },
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${at}. ${'It is there. '.repeat(20)}` }] },
  ]).flat(),
  { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
];

describe('contextProcessor', () => {
  it('leaves a prompt that fits as it is', async () => {
    const { session, context } = make();
    expect(await context.processLLMRequest({ prompt: promptOf(2) })).toBeUndefined();
    expect(session.records()).toEqual([]);
  });

  it('returns a smaller prompt in the form of prompts, and does not change the one it got', async () => {
    const { session, context } = make();
    const prompt = promptOf(60);
    const before = JSON.stringify(prompt);
    const { prompt: smaller } = (await context.processLLMRequest({ prompt }))!;
    expect(JSON.stringify(prompt)).toBe(before);
    expect(session.records().length).toBe(1);
    expect(smaller.length).toBeLessThan(prompt.length / 2);
    expect(smaller[0]).toEqual(prompt[0]);
    expect(smaller.slice(1).every(({ content }) => Array.isArray(content))).toBe(true);
    expect(JSON.stringify(smaller.at(-1))).toContain('And now?');
  });

  it('retries only a request that was refused for its size', async () => {
    const { context } = make();
    const error = Object.assign(new Error('prompt is too long: 9700 tokens > 6000 maximum'), { statusCode: 400 });
    expect(await context.processAPIError({ error })).toEqual({ retry: false });
    await context.processLLMRequest({ prompt: promptOf(20) });
    expect(await context.processAPIError({ error: new Error('Invalid API key') })).toEqual({ retry: false });
    expect(await context.processAPIError({ error })).toEqual({ retry: true });
  });
});
