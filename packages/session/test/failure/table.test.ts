import { describe, expect, it } from 'vitest';
import { classifyFailure, classifyResponse } from '../../src/failure/classify-failure.ts';

const body = (message: string, code: string | null = null): string => JSON.stringify({ error: { message, code } });

/** The classification of refusals is tested in `@palimpsest/provider-errors`. These tests cover the reaction of a session. */
describe('the reaction to a refusal', () => {
  it.each([
    ['compact', 400, 'prompt is too long: 208732 tokens > 200000 maximum'],
    ['compact', 429, 'Request too large on tokens per min (TPM): Limit 30000, Requested 38324.'],
    ['lower-output', 400, 'max_tokens is too large: 32000. This model supports at most 16384 completion tokens.'],
    ['strip-media', 400, 'image exceeds 5 MB maximum: 6096280 bytes > 5242880 bytes'],
    ['strip-media', 413, 'Request Entity Too Large'],
    ['strip-reasoning', 400, 'messages.1.content.0: Invalid `signature` in `thinking` block'],
    ['strip-tool-parts', 400, 'tool message content must be a string'],
    ['none', 400, 'temperature must be non-negative'],
    ['none', 401, 'prompt is too long'],
    ['none', 429, 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000.'],
    ['none', 529, 'Overloaded'],
  ])('%s: %d %s', (action, status, message) => {
    expect(classifyResponse(status, body(message)).action).toBe(action);
    expect(classifyFailure(Object.assign(new Error(message), { status })).action).toBe(action);
  });

  it('depends on the size of the prompt when the refusal does not state its cause', () => {
    const full = { promptTokens: 190_000, contextLength: 200_000 };
    const small = { promptTokens: 20_000, contextLength: 200_000 };
    for (const [status, text, otherwise] of [
      [413, body('Request exceeds the maximum size', 'request_too_large'), 'strip-media'],
      [400, '', 'none'],
      [400, body('Error'), 'none'],
    ] as const) {
      expect(classifyResponse(status, text, full).action).toBe('compact');
      expect(classifyResponse(status, text, small).action).toBe(otherwise);
    }
  });

  it('is none for a value that is not a refusal', () => {
    for (const odd of [undefined, null, 0, '', 'x', [], {}, () => 1, Symbol('x'), new Error('no')])
      expect(classifyFailure(odd)).toMatchObject({ action: 'none' });
    expect(classifyFailure(new TypeError('fetch failed'))).toMatchObject({ class: 'network', action: 'none' });
  });
});
