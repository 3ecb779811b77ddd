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
            left >= Math.min(output / 8, 1_000) ? 'output-cap' : 'context-overflow',
            most,
          ]);
          if (found.kind === 'output-cap') expect(found.outputTokens).toBe(left);
        },
      ),
    );
  });
});

/** Ways to say that a limit was exceeded, without the size of the prompt. */
const limitNames: readonly ((limit: string) => string)[] = [
  (l) => `Maximum context size ${l}`,
  (l) => `Max context length of ${l} tokens`,
  (l) => `The context window (${l} tokens)`,
  (l) => `token limit of ${l}`,
  (l) => `Maximum number of tokens (${l})`,
  (l) => `model context of ${l} tokens`,
  (l) => `n_ctx ${l}`,
  (l) => `${l} token context`,
  (l) => `The maximum prompt length of ${l}`,
];

describe('a limit that "was exceeded" is the limit, not the size of the prompt', () => {
  const verbs = [
    'exceeded',
    'was exceeded',
    'has been exceeded',
    'is exceeded by your request',
    'exceeded.',
    'surpassed',
  ];

  it('for any name of the limit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...limitNames),
        fc.constantFrom(...verbs),
        limit,
        written,
        (name, verb, most, write) => {
          const found = classifyProviderError({
            status: 400,
            body: { error: { message: `${name(write(most))} ${verb}` } },
          });
          expect([found.kind, found.limitTokens, found.promptTokens]).toEqual(['context-overflow', most, null]);
        },
      ),
    );
  });

  it('and a number after it is the size of the prompt', () => {
    const rests = [
      (p: string) => `exceeded: ${p} tokens`,
      (p: string) => `exceeded by the request (${p})`,
      (p: string) => `exceeded, got ${p}`,
      (p: string) => `exceeded with ${p} tokens`,
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...limitNames),
        fc.constantFrom(...rests),
        limit,
        excess,
        written,
        (name, rest, most, more, write) => {
          const message = `${name(write(most))} ${rest(write(most + more))}`;
          const found = classifyProviderError({ status: 400, body: { error: { message } } });
          expect([found.kind, found.limitTokens, found.promptTokens, message]).toEqual([
            'context-overflow',
            most,
            most + more,
            message,
          ]);
        },
      ),
    );
  });
});

describe('too many images', () => {
  const sentences: readonly ((given: number, most: number, noun: string) => string)[] = [
    (given, most, noun) => `request contains ${given} ${noun}, exceeding the maximum of ${most}`,
    (given, most, noun) => `You sent ${given} ${noun}, but at most ${most} are allowed.`,
    (_, most, noun) => `At most ${most} ${noun} may be provided in one request.`,
    (given, most, noun) => `Too many ${noun}: ${given} > ${most}`,
    (given, most, noun) => `Number of ${noun} (${given}) exceeds limit of ${most}`,
    (_, most, noun) => `This model supports up to ${most} ${noun} per request`,
    (given, _, noun) => `Too much media: 0 document pages + ${given} ${noun}`,
  ];
  const nouns = fc.constantFrom('images', 'image(s)', 'pictures', 'attachments', 'image parts', 'PDF pages');

  it('are not a matter of tokens, whatever the words', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sentences),
        nouns,
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 50 }),
        (say, noun, most, more) => {
          const message = say(most + more, most, noun);
          const found = classifyProviderError({ status: 400, body: { error: { message } } });
          expect([found.kind, found.limitTokens, message]).toEqual(['image-too-large', null, message]);
        },
      ),
    );
  });

  it('are distinguished from a window that tokens of images exceed', () => {
    const message = 'The request has 3 images and 40211 tokens, exceeding the maximum context of 32768';
    expect(classifyProviderError({ status: 400, body: message })).toMatchObject({
      kind: 'context-overflow',
      limitTokens: 32_768,
    });
  });
});

describe('a refused request with a prompt that fits asked for too much output', () => {
  it.each([
    ['OpenAI completions', 4_097, 3_860, 256, true],
    ['OpenAI completions', 4_097, 3_430, 1_000, true],
    ['OpenAI completions, hardly any room', 4_097, 4_086, 256, false],
    ['OpenAI completions, too long', 4_097, 4_100, 256, false],
  ])('%s: window %i, prompt %i, output %i', (_, most, prompt, output, isCap) => {
    const message = `This model's maximum context length is ${most} tokens, however you requested ${prompt + output} tokens (${prompt} in your prompt; ${output} for the completion). Please reduce your prompt; or completion length.`;
    const body = { error: { message, code: 'context_length_exceeded' } };
    expect(classifyProviderError({ status: 400, body })).toMatchObject({
      kind: isCap ? 'output-cap' : 'context-overflow',
      limitTokens: most,
      promptTokens: prompt,
      outputTokens: isCap ? most - prompt : null,
    });
  });

  it.each([
    ['Requested tokens (85) exceed context window of 2048', undefined, 'output-cap', 1_963],
    ['Requested tokens (2085) exceed context window of 2048', undefined, 'context-overflow', null],
    ['Requested tokens exceed context window of 2048', 100, 'output-cap', 1_948],
    ['Requested tokens exceed context window of 2048', 2_000, 'context-overflow', null],
    ['Requested tokens exceed context window of 2048', undefined, 'context-overflow', null],
  ])('llama-cpp-python: %s, with a prompt of %s', (message, promptTokens, kind, outputTokens) => {
    const found = classifyProviderError({ status: 500, body: { error: { message } } }, { promptTokens });
    expect(found).toMatchObject({ kind, limitTokens: 2_048, outputTokens });
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
