import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyProviderError } from '../src/index.ts';

const limit = fc.integer({ min: 4_100, max: 2_000_000 });
const excess = fc.integer({ min: 1, max: 400_000 });
const written = fc.constantFrom(
  (value: number) => String(value),
  (value: number) => value.toLocaleString('en-US'),
  (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '_'),
);

/** Ways to say that a prompt is longer than a window, with both figures. */
const sentences: readonly ((prompt: string, limit: string) => string)[] = [
  (p, l) => `The prompt has ${p} tokens, but the context window is ${l} tokens.`,
  (p, l) => `Input length ${p} exceeds the maximum of ${l} tokens`,
  (p, l) => `Your request of ${p} tokens is larger than the model's context length (${l}).`,
  (p, l) => `Maximum context length: ${l} tokens. Requested: ${p} tokens.`,
  (p, l) => `This model supports at most ${l} input tokens; you sent ${p}.`,
  (p, l) => `prompt_tokens=${p} must be less than max_model_len=${l}`,
  (p, l) => `context size exceeded (${p} > ${l})`,
  (p, l) => `messages contain ${p} tokens and the limit is ${l}`,
  (p, l) => `too many tokens in prompt: got ${p}, maximum ${l}`,
];

describe('an overflow is recognized by the meaning of the sentence', () => {
  it('for any wording, figures and wrapping', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sentences),
        limit,
        excess,
        written,
        fc.constantFrom('message', 'error', 'detail', 'nested', 'text'),
        (say, most, more, write, place) => {
          const text = say(write(most + more), write(most));
          const bodies = {
            message: { message: text },
            error: { error: text },
            detail: { detail: [{ msg: text }] },
            nested: {
              error: {
                message: 'Provider returned error',
                metadata: { raw: JSON.stringify({ error: { message: text } }) },
              },
            },
            text,
          };
          const found = classifyProviderError({ status: 400, body: bodies[place as keyof typeof bodies] });
          expect([found.kind, found.limitTokens, text]).toEqual(['context-overflow', most, text]);
          expect(found.promptTokens).toBe(most + more);
        },
      ),
    );
  });

  it('and is distinguished from an output cap by the room the prompt leaves', () => {
    fc.assert(
      fc.property(
        limit,
        fc.double({ min: 0.05, max: 1.5, noNaN: true }),
        fc.integer({ min: 2_000, max: 64_000 }),
        (most, share, output) => {
          const prompt = Math.round(most * share);
          fc.pre(prompt + output > most);
          const message = `This model's maximum context length is ${most} tokens. However, you requested ${prompt + output} tokens (${prompt} in the messages, ${output} in the completion).`;
          const found = classifyProviderError({ status: 400, body: { error: { message } } });
          const left = most - prompt;
          expect([found.kind, found.limitTokens]).toEqual([
            left >= Math.min(output, 1_000) ? 'output-cap' : 'context-overflow',
            most,
          ]);
          if (found.kind === 'output-cap') expect(found.outputTokens).toBe(left);
        },
      ),
    );
  });
});

describe('an error without a reason is decided by the size of the request', () => {
  const full = { promptTokens: 120_000, contextLength: 131_072 };
  const small = { promptTokens: 9_000, contextLength: 131_072 };

  it.each([
    ['a 400 without a body', { status: 400, body: '' }, 'invalid-request'],
    ['a 400 that says Error', { status: 400, body: { error: { message: 'Error' } } }, 'invalid-request'],
    [
      'an SDK without a body',
      Object.assign(new Error('400 status code (no body)'), { status: 400 }),
      'invalid-request',
    ],
    [
      'a 413',
      { status: 413, body: { error: { type: 'request_too_large', message: 'Request too large' } } },
      'payload-too-large',
    ],
    ['a dropped connection', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 'network'],
    [
      'a dropped connection under fetch',
      new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) }),
      'network',
    ],
  ])('%s', (_, error, otherwise) => {
    expect(classifyProviderError(error, full).kind).toBe('context-overflow');
    expect(classifyProviderError(error, small).kind).toBe(otherwise);
    expect(classifyProviderError(error).kind).toBe(otherwise);
  });

  it('a refused connection is never an overflow', () => {
    expect(classifyProviderError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), full).kind).toBe(
      'network',
    );
  });

  it('a limit per minute that the request alone exceeds is an overflow of the plan', () => {
    const body = {
      error: {
        type: 'rate_limit_error',
        message: "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
      },
    };
    expect(classifyProviderError({ status: 429, body }, { promptTokens: 90_000 })).toMatchObject({
      kind: 'context-overflow',
      about: 'plan',
      planTokens: 40_000,
      limitTokens: null,
    });
    expect(classifyProviderError({ status: 429, body }, { promptTokens: 9_000 })).toMatchObject({
      kind: 'rate-limit',
      planTokens: null,
    });
  });

  it('a lower bound is not reported as the size of the prompt', () => {
    const message =
      "This model's maximum context length is 32768 tokens. However, you requested 32512 output tokens and your prompt contains at least 257 input tokens, for a total of at least 32769 tokens.";
    const error = { status: 400, body: { error: { message } } };
    expect(classifyProviderError(error)).toMatchObject({ kind: 'output-cap', promptTokens: null, outputTokens: null });
    expect(classifyProviderError(error, { promptTokens: 20_000 })).toMatchObject({
      kind: 'output-cap',
      outputTokens: 12_768,
    });
    expect(classifyProviderError(error, { promptTokens: 32_600 })).toMatchObject({ kind: 'context-overflow' });
  });
});
