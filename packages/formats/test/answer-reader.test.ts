import { describe, expect, it } from 'vitest';
import { maxEventLength } from '../src/wire/framing.ts';
import { answerReader, wireNamed } from '../src/wire.ts';

const encoder = new TextEncoder();
const usage = (tokens: number): string => `data: {"usage":{"prompt_tokens":${tokens},"completion_tokens":1}}\n\n`;
const filler = encoder.encode('x'.repeat(64 * 1024));

describe('the reader of an event stream', () => {
  const readerAfter = (...texts: readonly string[]) => {
    const reader = answerReader(wireNamed('openai-chat'), 'text/event-stream')!;
    for (const text of texts) reader.read(encoder.encode(text));
    return reader;
  };

  it('reads a large event', () => {
    const reader = readerAfter('data: {"pad":"');
    for (let length = 0; length < maxEventLength / 2; length += filler.length) reader.read(filler);
    reader.read(encoder.encode(`","usage":{"prompt_tokens":7,"completion_tokens":1}}\n\n`));
    expect(reader.end().usage).toMatchObject({ promptTokens: 7 });
  });

  it.each([
    ['in one line', ''],
    ['in many lines', '\ndata: '],
  ])('does not hold an event without end, %s, and reports what was before it', (_, between) => {
    const reader = readerAfter(usage(5), 'data: ');
    const line = encoder.encode(between);
    for (let length = 0; length <= maxEventLength; length += filler.length) {
      reader.read(filler);
      reader.read(line);
    }
    // It would be read if it had been held.
    reader.read(encoder.encode(`\n\n${usage(9)}`));
    expect(reader.end()).toMatchObject({ usage: { promptTokens: 5 }, error: null });
  });
});
