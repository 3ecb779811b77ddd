import { describe, expect, it } from 'vitest';
import { AnthropicAnswerStream } from '../src/anthropic/answer-stream.ts';
import { combineUsage } from '../src/wire/usage.ts';
import type { StreamEvent } from '../src/wire.ts';

describe('the usage of several replies that an SDK sees as one', () => {
  it.each([
    [
      'chat completions',
      {
        prompt_tokens: 90_000,
        completion_tokens: 50,
        total_tokens: 90_050,
        prompt_tokens_details: { cached_tokens: 80_000 },
        completion_tokens_details: { reasoning_tokens: 40 },
      },
      {
        prompt_tokens: 91_000,
        completion_tokens: 100,
        total_tokens: 91_100,
        prompt_tokens_details: { cached_tokens: 90_000 },
        completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 0 },
      },
      {
        prompt_tokens: 91_000,
        completion_tokens: 150,
        total_tokens: 91_150,
        prompt_tokens_details: { cached_tokens: 90_000 },
        completion_tokens_details: { reasoning_tokens: 50, audio_tokens: 0 },
      },
    ],
    [
      'Responses',
      { input_tokens: 10, output_tokens: 1, total_tokens: 11, output_tokens_details: { reasoning_tokens: 1 } },
      { input_tokens: 20, output_tokens: 2, total_tokens: 22 },
      { input_tokens: 20, output_tokens: 3, total_tokens: 23, output_tokens_details: { reasoning_tokens: 1 } },
    ],
    [
      'Anthropic',
      {
        input_tokens: 9,
        cache_read_input_tokens: 5,
        cache_creation_input_tokens: 7,
        output_tokens: 1,
        service_tier: 'a',
      },
      { input_tokens: 8, cache_read_input_tokens: 12, output_tokens: 2, service_tier: 'b' },
      { input_tokens: 8, cache_read_input_tokens: 12, output_tokens: 3, service_tier: 'b' },
    ],
  ])('has the last prompt, and all that was written: %s', (_, before, last, combined) => {
    expect(combineUsage(before, last)).toEqual(combined);
  });

  it('is that of the only report', () => {
    expect(combineUsage({ input_tokens: 1 }, null)).toEqual({ input_tokens: 1 });
    expect(combineUsage(undefined, { input_tokens: 2 })).toEqual({ input_tokens: 2 });
  });
});

describe('a stream of Anthropic whose first reply only searches', () => {
  it('begins with the prompt of the second reply', () => {
    const stream = new AnthropicAnswerStream((name) => name === 'recall');
    const reply = (id: string, input: number, block: object, reason: string): readonly StreamEvent[] => {
      const events: readonly { readonly type: string }[] = [
        { type: 'message_start', message: { id, type: 'message', usage: { input_tokens: input, output_tokens: 1 } } },
        { type: 'ping' },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ].map((event) => event as { readonly type: string });
      return events.flatMap((event) =>
        stream.read({ event: event.type, data: JSON.stringify(event), fields: { ...event } }),
      );
    };
    expect(reply('m1', 90_000, { type: 'tool_use', id: 'r1', name: 'recall', input: {} }, 'tool_use')).toEqual([]);
    stream.next();
    const shown = [...reply('m2', 91_000, { type: 'text', text: 'Found.' }, 'end_turn'), ...stream.end()];
    const events = shown.map((event) => {
      const data = 'data' in event ? event.data : '';
      return typeof data === 'string' ? JSON.parse(data) : data;
    });
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0].message).toMatchObject({ id: 'm1', usage: { input_tokens: 91_000 } });
    expect(events[3].usage).toEqual({ input_tokens: 91_000, output_tokens: 10 });
  });
});
