import { describe, expect, it } from 'vitest';
import { refusesField, refusesPath } from '../../../src/proxy/served-compaction/upstream-refusals.ts';

const error = (status: number, message: string): Response =>
  Response.json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status });

describe('an upstream without context management is recognized', () => {
  it.each([
    'context_management: Extra inputs are not permitted',
    "Unknown parameter: 'context_management'.",
    'compaction: Extra inputs are not permitted',
    'Unexpected value(s) `context-management-2025-06-27` for the `anthropic-beta` header. Please consult our documentation',
    'invalid beta flag',
    'invalid beta flag `compact-2026-01-12`',
    "messages.0.content.0: Input tag 'compaction' found using 'type' does not match any of the expected tags",
    "context_management.edits.0: Input tag 'compact_20260112' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919'",
    "'claude-3-5-haiku-latest' does not support the 'compact_20260112' context management strategy.",
    '{"detail":[{"loc":["body","context_management"],"msg":"extra fields not permitted"}]}',
  ])('by %j', async (message) => {
    expect(await refusesField(error(400, message))).toBe(true);
    expect(await refusesField(error(500, message))).toBe(false);
  });

  it.each([
    'context_management.edits.0.trigger.value: Input should be greater than or equal to 50000',
    'context_management.edits.0.foo: Extra inputs are not permitted',
    'invalid beta flag: interleaved-thinking-2025-05-14',
    'messages.0.content.0.text.foo: Extra inputs are not permitted',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'compaction: the signature of the block is wrong',
  ])('and not by %j', async (message) => {
    expect(await refusesField(error(400, message))).toBe(false);
  });

  it('and not by a compaction that failed', async () => {
    const details = { error_code: 'compaction_nothing_to_summarize' };
    const message = 'compaction: not supported for so few messages';
    const body = { type: 'error', error: { type: 'invalid_request_error', message, details } };
    expect(await refusesField(Response.json(body, { status: 400 }))).toBe(false);
  });

  it('by a path that it does not know', async () => {
    expect(await refusesPath(error(404, 'Invalid URL (POST /v1/responses/compact)'))).toBe(true);
    expect(await refusesPath(new Response('404 page not found', { status: 404 }))).toBe(true);
    expect(await refusesPath(new Response(null, { status: 405 }))).toBe(true);
    expect(await refusesPath(error(404, 'The model `x` does not exist'))).toBe(false);
    expect(await refusesPath(error(400, 'Not found'))).toBe(false);
    expect(await refusesPath(Response.json({ object: 'response.compaction' }))).toBe(false);
  });
});
