import Anthropic from '@anthropic-ai/sdk';
import { APICallError } from 'ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { classifyFailure, classifyResponse } from '../../src/failure/classify-failure.ts';
import { refusals } from './refusals.ts';

const textOf = (body: string | object): string => (typeof body === 'string' ? body : JSON.stringify(body));
const expected = (refusal: (typeof refusals)[number]): object => ({
  class: refusal.class,
  action: refusal.action,
  status: refusal.status,
  limitTokens: refusal.limit ?? null,
  promptTokens: refusal.prompt ?? null,
  outputTokens: refusal.output ?? null,
  limitBytes: refusal.bytes ?? null,
  limitPixels: refusal.pixels ?? null,
});

describe('a refusal is read the same', () => {
  for (const refusal of refusals) {
    const body = textOf(refusal.body);
    it(`from a response: ${refusal.from}`, () => {
      expect(classifyResponse(refusal.status, body)).toEqual(expected(refusal));
    });

    it(`from what the openai client throws: ${refusal.from}`, () => {
      const parsed = typeof refusal.body === 'string' ? undefined : refusal.body;
      const error = OpenAI.APIError.generate(refusal.status, parsed, body, new Headers());
      expect(classifyFailure(error)).toEqual(expected(refusal));
    });

    it(`from what the Anthropic client throws: ${refusal.from}`, () => {
      const parsed = typeof refusal.body === 'string' ? undefined : refusal.body;
      const error = Anthropic.APIError.generate(refusal.status, parsed, body, new Headers());
      expect(classifyFailure(error)).toEqual(expected(refusal));
    });

    it(`from what the AI SDK throws: ${refusal.from}`, () => {
      const error = new APICallError({
        message: 'Bad Request',
        url: 'https://api.example.com/v1/chat/completions',
        // What the caller sent is no part of the refusal, whatever it says.
        requestBodyValues: { messages: [{ role: 'user', content: 'prompt is too long: 9 tokens > 8 maximum' }] },
        statusCode: refusal.status,
        responseBody: body,
        data: typeof refusal.body === 'string' ? undefined : refusal.body,
      });
      expect(classifyFailure(new Error('Failed after 3 attempts.', { cause: error }))).toEqual(expected(refusal));
    });
  }

  it('for at least fifteen providers and servers', () => {
    expect(new Set(refusals.map(({ from }) => from.split(',')[0])).size).toBeGreaterThan(30);
  });
});

describe('what a refusal leaves open is told from the size of the prompt', () => {
  it('a 413 of a nearly full window is too many tokens, of a small prompt too many bytes', () => {
    const body = JSON.stringify({
      type: 'error',
      error: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
    });
    expect(classifyResponse(413, body, { promptTokens: 190_000, contextLength: 200_000 })).toMatchObject({
      action: 'compress',
    });
    expect(classifyResponse(413, body, { promptTokens: 20_000, contextLength: 200_000 })).toMatchObject({
      action: 'strip-media',
    });
  });

  it('a 400 without a body is an overflow only when the window is nearly full', () => {
    const full = { promptTokens: 120_000, contextLength: 131_072 };
    expect(classifyResponse(400, '', full).action).toBe('compress');
    expect(classifyResponse(400, '', { ...full, promptTokens: 9_000 }).action).toBe('none');
    expect(classifyFailure(new Error('400 status code (no body)', { cause: { status: 400 } }), full).action).toBe(
      'compress',
    );
  });
});

describe('other errors', () => {
  it('are never taken for an overflow', () => {
    const named = (name: string, message = ''): Error => Object.assign(new Error(message), { name });
    expect(classifyFailure(named('AbortError', 'prompt is too long'))).toMatchObject({
      class: 'cancelled',
      action: 'none',
    });
    expect(classifyFailure(new OpenAI.APIUserAbortError())).toMatchObject({ class: 'cancelled' });
    expect(classifyFailure(new OpenAI.APIConnectionError({ message: 'Connection error.' }))).toMatchObject({
      class: 'network',
    });
    expect(classifyFailure(new TypeError('fetch failed'))).toMatchObject({ class: 'network', action: 'none' });
    for (const odd of [undefined, null, 0, '', 'x', [], {}, () => 1, Symbol('x'), new Error('no')])
      expect(classifyFailure(odd)).toMatchObject({ action: 'none' });
  });

  it('may be cyclic, deep, huge or throw on reading', () => {
    const cyclic: Record<string, unknown> = { message: 'prompt is too long: 9000 tokens > 8000 maximum', status: 400 };
    cyclic.cause = cyclic;
    expect(classifyFailure(cyclic)).toMatchObject({ action: 'compress', limitTokens: 8_000 });
    const hostile = {
      get message(): string {
        throw new Error('no');
      },
      status: 400,
    };
    expect(classifyFailure(hostile)).toMatchObject({ action: 'none' });
    let deep: unknown = { message: 'prompt is too long' };
    for (let level = 0; level < 10_000; level++) deep = { error: deep };
    expect(classifyFailure(deep)).toMatchObject({ action: 'none' });
  });

  it('are read in linear time', () => {
    const cost = (size: number): number => {
      const bodies = ['context length is ', 'max_tokens [1, ', 'input length ', '1,', '上下文', '(', 'image '].map(
        (piece) => piece.repeat(size),
      );
      const started = process.cpuUsage().user;
      for (const body of bodies) classifyResponse(400, JSON.stringify({ error: { message: body } }));
      return process.cpuUsage().user - started;
    };
    cost(1_000);
    expect(cost(20_000)).toBeLessThan(2_000_000);
  });
});
