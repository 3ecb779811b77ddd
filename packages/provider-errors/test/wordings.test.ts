import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { APICallError } from 'ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { classifyProviderError } from '../src/index.ts';
import { paraphrases } from './paraphrases.ts';
import { refusals } from './refusals.ts';
import { lookalikes, wordings } from './wordings.ts';

const textOf = (body: string | object): string => (typeof body === 'string' ? body : JSON.stringify(body));
const expected = (refusal: (typeof refusals)[number]): object => ({
  kind: refusal.kind,
  about: refusal.about ?? null,
  status: refusal.status,
  limitTokens: refusal.limit ?? null,
  promptTokens: refusal.prompt ?? null,
  outputTokens: refusal.output ?? null,
  planTokens: refusal.plan ?? null,
  limitBytes: refusal.bytes ?? null,
  limitPixels: refusal.pixels ?? null,
});

describe('a refusal is classified the same', () => {
  for (const refusal of refusals) {
    const { from, status, body } = refusal;
    const text = textOf(body);
    const parsed = typeof body === 'string' ? undefined : body;
    const asCaller = (error: unknown): void => expect(classifyProviderError(error)).toMatchObject(expected(refusal));

    it(`from a response: ${from}`, () => {
      asCaller({ status, body });
      asCaller({ status, body: text });
    });
    it(`from what the openai client throws: ${from}`, () =>
      asCaller(OpenAI.APIError.generate(status, parsed, text, new Headers())));
    it(`from what the Anthropic client throws: ${from}`, () =>
      asCaller(Anthropic.APIError.generate(status, parsed, text, new Headers())));
    it(`from what the AI SDK throws: ${from}`, () => {
      const error = new APICallError({
        message: 'Bad Request',
        url: 'https://api.example.com/v1/chat/completions',
        // What the caller sent is not part of the refusal.
        requestBodyValues: { messages: [{ role: 'user', content: 'prompt is too long: 9 tokens > 8 maximum' }] },
        statusCode: status,
        responseBody: text,
        data: parsed,
      });
      asCaller(new Error('Failed after 3 attempts.', { cause: error }));
    });
  }
});

describe('wordings of providers, servers and gateways', () => {
  for (const [from, status, body, kind, limitTokens = null] of wordings)
    it(`${from} (${status})`, () => {
      const found = classifyProviderError({ status, body });
      expect([found.kind, found.limitTokens]).toEqual([kind, limitTokens]);
      if (status !== null) expect(classifyProviderError({ status, body: textOf(body) })).toEqual(found);
    });

  it.each(lookalikes)('no shorter prompt helps: %s (%s)', (_, status, body, kind) => {
    const found = classifyProviderError({ status, body });
    expect([found.kind, found.limitTokens, found.outputTokens]).toEqual([kind, null, null]);
  });

  it.each(paraphrases)('%s %s', (status, given, kind, limitTokens) => {
    const body = typeof given === 'string' && given !== '' ? { error: { message: given } } : given;
    const found = classifyProviderError({ status, body });
    expect(found.kind).toBe(kind);
    if (limitTokens !== undefined) expect(found.limitTokens).toBe(limitTokens);
  });
});

interface Recorded {
  readonly provider: string;
  readonly status: number | null;
  readonly body: object;
  readonly expected: string;
  readonly limitTokens: number | null;
}

/** Recorded refusals, in a folder next to the repository. Skipped where it does not exist. */
const file = fileURLToPath(new URL('../../../../shared/provider-errors.json', import.meta.url));
const recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded[]) : [];

describe.skipIf(recorded.length === 0)('recorded refusals (needs ../shared)', () => {
  it.each(recorded)('$provider', ({ status, body, expected: kind, limitTokens }) => {
    for (const form of [body, JSON.stringify(body)]) {
      const found = classifyProviderError({ status, body: form });
      expect([found.kind, found.limitTokens]).toEqual([kind, limitTokens]);
    }
  });
});
