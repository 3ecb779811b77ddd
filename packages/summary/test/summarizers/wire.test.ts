import { PalimpsestError } from '@palimpsest/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { anthropicSummarizer } from '../../src/summarizers/anthropic.ts';
import { openaiSummarizer } from '../../src/summarizers/openai.ts';
import { writeSummary } from '../../src/write-summary.ts';
import { inputFor, recordText, session, setting, summarizerOn, wires } from './summarizer-setup.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const ask = (prompt: string, signal?: AbortSignal) => ({
  prompt,
  budgetTokens: 500,
  material: { messages: [], previousSummary: null, template: { name: 'none', sections: [] }, focusTopic: null },
  signal,
});

describe('a request', () => {
  it.each(['openai, streaming', 'openai, whole'] as const)('has no output cap over %s', async (wire) => {
    server.play([{ kind: 'answer', text: 'Fine.' }]);
    await summarizerOn(server, wire, 'gpt-5-mini').summarize(ask('Condense this.'));
    const [request] = server.received;
    expect(Object.keys(request!.body).sort()).toEqual(
      wire === 'openai, whole' ? ['messages', 'model'] : ['messages', 'model', 'stream', 'stream_options'],
    );
    expect(request!.body.messages).toEqual([{ role: 'user', content: 'Condense this.' }]);
  });

  it.each([
    ['claude-3-haiku-20240307', 4_096],
    ['claude-3-5-haiku-latest', 8_192],
    ['claude-opus-4-1', 32_000],
    ['claude-haiku-4-5', 64_000],
    ['claude-of-next-year', 64_000],
  ])('asks Anthropic for the maximum output of %s, whatever the budget', async (model, tokens) => {
    server.play([{ kind: 'answer', text: 'Fine.' }]);
    await summarizerOn(server, 'anthropic', model).summarize(ask('Condense this.'));
    expect(server.received[0]!.body).toMatchObject({ max_tokens: tokens, stream: true });
  });

  it('uses the lower maximum that a model reports, also in later calls', async () => {
    server.play(({ body }) =>
      (body.max_tokens as number) > 20_000
        ? {
            kind: 'status',
            status: 400,
            message: `max_tokens: ${body.max_tokens} > 20000, which is the maximum allowed number of output tokens for this model`,
          }
        : { kind: 'answer', text: 'Fine.' },
    );
    const writer = summarizerOn(server, 'anthropic', 'claude-small');
    await writer.summarize(ask('Condense this.'));
    await writer.summarize(ask('And this.'));
    expect(server.received.map(({ body }) => body.max_tokens)).toEqual([64_000, 20_000, 20_000]);
  });

  it('uses the room that the prompt leaves in the window, for this call only', async () => {
    server.play((_, number) =>
      number === 0
        ? {
            kind: 'status',
            status: 400,
            message:
              'input length and `max_tokens` exceed context limit: 150000 + 64000 > 200000, decrease input length or `max_tokens` and try again',
          }
        : { kind: 'answer', text: 'Fine.' },
    );
    const writer = summarizerOn(server, 'anthropic', 'claude-wide');
    await writer.summarize(ask('Condense this.'));
    await writer.summarize(ask('And this.'));
    expect(server.received.map(({ body }) => body.max_tokens)).toEqual([64_000, 50_000, 64_000]);
  });

  it('asks for half of a small window after it was refused once, and from the start if the window is known', async () => {
    server.play(({ body }) => {
      const asked = body.max_tokens as number;
      const message = `input length and \`max_tokens\` exceed context limit: 9000 + ${asked} > 32000, decrease input length or \`max_tokens\` and try again`;
      return 9_000 + asked > 32_000 ? { kind: 'status', status: 400, message } : { kind: 'answer', text: 'Fine.' };
    });
    const writer = summarizerOn(server, 'anthropic', 'claude-small');
    await writer.summarize(ask('Condense this.'));
    await writer.summarize(ask('And this.'));
    await summarizerOn(server, 'anthropic', 'claude-small', 32_000).summarize(ask('And this.'));
    expect(server.received.map(({ body }) => body.max_tokens)).toEqual([64_000, 23_000, 16_000, 16_000]);
  });

  it.each(wires)('reads usage over %s', async (wire) => {
    server.play([{ kind: 'answer', text: 'Fine.', promptTokens: 900, completionTokens: 70, cachedTokens: 300 }]);
    const { usage } = await summarizerOn(server, wire, 'any').summarize(ask('Condense this.'));
    expect(usage).toMatchObject({ promptTokens: 900, completionTokens: 70, cachedTokens: 300 });
  });

  it.each(wires)('keeps characters outside the basic plane intact over %s', async (wire) => {
    const text = '\u{1F50D} \u65E5\u672C\u8A9E \u{1F9EA}'.repeat(20);
    server.play([{ kind: 'answer', text, pieces: 60 }]);
    expect((await summarizerOn(server, wire, 'any').summarize(ask('Condense this.'))).text).toBe(text);
  });
});

async function turns(count: number): Promise<'still waiting'> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  return 'still waiting';
}

describe('an abort', () => {
  it.each(wires)('ends a stalled call immediately over %s, and leaves no timer', async (wire) => {
    server.play([{ kind: 'stall', at: 'middle' }]);
    const { host, clock } = setting({
      summarizer: summarizerOn(server, wire, 'aux'),
      fallbackSummarizer: summarizerOn(server, wire, 'main'),
    });
    const controller = new AbortController();
    const writing = writeSummary(inputFor(session(), { signal: controller.signal }), host);
    await server.arrival(1);
    expect(clock.pending).toBe(1);
    controller.abort();
    // Counted in turns of the event loop, because their duration depends on the machine.
    const result = await Promise.race([writing, turns(10)]);
    expect(result).toMatchObject({ kind: 'aborted', failure: { class: 'cancelled', cooldownMs: 0 } });
    expect(clock.pending).toBe(0);
    expect(server.received.map(({ model }) => model)).toEqual(['aux']);
  });

  it.each(wires)('before the start prevents the call over %s', async (wire) => {
    server.play([]);
    const { host } = setting({ summarizer: summarizerOn(server, wire, 'aux') });
    const result = await writeSummary(inputFor(session(), { signal: AbortSignal.abort() }), host);
    expect(result).toMatchObject({ kind: 'aborted', modelCalls: 0, failure: { class: 'cancelled' } });
    expect(server.received).toEqual([]);
  });

  it('rejects a direct call with ABORTED', async () => {
    server.play([{ kind: 'stall', at: 'start' }]);
    const controller = new AbortController();
    const call = summarizerOn(server, 'openai, whole', 'aux').summarize(ask('Condense this.', controller.signal));
    await server.arrival(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('errors of a direct call', () => {
  it.each(wires)('have class and status over %s, but no text of the provider', async (wire) => {
    const words = ['the', 'private', 'words'].join('-');
    server.play([{ kind: 'status', status: 429, message: `You said ${words}.`, retryAfterSeconds: 7 }]);
    const error = await summarizerOn(server, wire, 'aux')
      .summarize(ask('Condense this.'))
      .catch((caught: unknown) => caught);
    if (!PalimpsestError.is(error)) throw new Error('not our error');
    expect(error).toMatchObject({
      code: 'SUMMARIZER_FAILED',
      details: { class: 'transient', status: 429, retryAfterMs: 7_000 },
    });
    expect(`${error.message} ${JSON.stringify(error.details)} ${String(error.cause)}`).not.toContain(words);
    expect(server.received).toHaveLength(1);
  });

  it('name the option if the model is missing', () => {
    expect(() => openaiSummarizer({ model: '' })).toThrow(
      /model: expected the name of a model, such as "gpt-5-mini"; given: an empty string/,
    );
    expect(() => anthropicSummarizer({} as { model: string })).toThrow(
      /model: expected the name of a model, such as "claude-haiku-4-5"; given: nothing/,
    );
  });
});

describe('clients made from options', () => {
  it('talk to any compatible server', async () => {
    server.play(() => ({ kind: 'answer', text: recordText() }));
    const local = openaiSummarizer({ model: 'llama', apiKey: 'none', baseURL: server.openaiUrl });
    const remote = anthropicSummarizer({ model: 'claude-x', apiKey: 'none', baseURL: server.anthropicUrl });
    expect((await local.summarize(ask('Condense this.'))).finishReason).toBe('stop');
    expect((await remote.summarize(ask('Condense this.'))).finishReason).toBe('stop');
    expect(server.received.map(({ protocol, model }) => `${protocol} ${model}`)).toEqual([
      'openai llama',
      'anthropic claude-x',
    ]);
  });
});

describe('the option timeoutMs', () => {
  it.each([...wires, 'half an answer'] as const)('ends a call that is not answered: %s', async (wire) => {
    server.play(() => ({ kind: 'stall', at: wire === 'half an answer' ? 'middle' : 'start' }));
    const on = wire === 'half an answer' ? 'anthropic' : wire;
    const summarizer = summarizerOn(server, on, 'm', undefined, 30);
    await expect(summarizer.summarize(ask('Condense this.'))).rejects.toMatchObject({
      code: 'SUMMARIZER_FAILED',
      details: { class: 'transient', reason: 'no answer within 30 ms' },
    });
  });

  it('is the limit of the engine, too, also if it is longer than that of the engine', async () => {
    const ends = async (timeoutMs: number | undefined, afterMs: number): Promise<void> => {
      const silent = { id: 'silent', timeoutMs, summarize: () => new Promise<never>(() => undefined) };
      const { host, clock, events } = setting({ summarizer: silent });
      void writeSummary(inputFor(session()), host);
      const happened = (type: string): boolean => events.some((event) => event.type === type);
      await expect.poll(() => happened('summary-start')).toBe(true);
      clock.advance(afterMs - 1);
      await Promise.resolve();
      expect(happened('summary-end')).toBe(false);
      clock.advance(1);
      await expect.poll(() => happened('summary-end')).toBe(true);
    };
    await ends(undefined, 120_000);
    await ends(500_000, 500_000);
    await ends(2_000, 2_000);
  });

  it('and the other options are checked', () => {
    for (const [name, create] of [
      ['openaiSummarizer', openaiSummarizer],
      ['anthropicSummarizer', anthropicSummarizer],
    ] as const) {
      const failing = (options: unknown, message: string): void => {
        expect(() => create(options as never)).toThrow(
          expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(message) }),
        );
        expect(() => create(options as never)).toThrow(` of ${name} `);
      };
      failing({ model: 'm', timeoutMs: 0 }, 'timeoutMs: expected a number of milliseconds');
      failing({ model: 'm', timeoutMs: '30s' }, 'timeoutMs: expected a number of milliseconds');
      failing({ model: 'm', timeoutMS: 30 }, 'timeoutMS: unknown option. Did you mean "timeoutMs"?');
      failing('m', 'options: expected an object such as');
      failing(undefined, 'options: expected an object such as');
    }
  });
});
