import { describe, expect, it } from 'vitest';
import { type StreamEvent, StreamReader, wireNamed } from '../src/wire.ts';

const wire = wireNamed('bedrock-invoke');
const type = 'application/vnd.amazon.eventstream';
const framing = wire.answers.framingOf(type, true)!;

function read(bytes: Uint8Array): { readonly shown: readonly StreamEvent[]; readonly reader: StreamReader } {
  const reader = new StreamReader(wire, framing);
  return { shown: reader.read(bytes), reader };
}

describe('a request to InvokeModel', () => {
  it('is a conversation only with a body of Anthropic', () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    expect(wire.itemsOf({ messages, anthropic_version: 'bedrock-2023-05-31' })).toEqual(messages);
    expect(wire.itemsOf({ messages })).toBeNull();
    const url = new URL('https://bedrock-runtime.us-east-1.amazonaws.com/model/m%3A0/invoke-with-response-stream');
    expect(wire.factsOf({ max_tokens: 5 }, url)).toMatchObject({ model: 'm:0', isStreamed: true, maxTokens: 5 });
  });
});

describe('a stream of InvokeModelWithResponseStream', () => {
  it('has the events of Anthropic in its chunks', () => {
    const event = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Größe “7”' } };
    const { shown } = read(framing.write({ data: event }) as Uint8Array);
    expect(shown).toEqual([{ event: undefined, data: event }]);
  });

  it('reports an exception, and writes errors as one', () => {
    const error = { type: 'error', error: { type: 'throttlingException', message: 'Too fast.' } };
    const { reader } = read(framing.write({ data: error }) as Uint8Array);
    expect(reader.end().answer.error).toEqual(error.error);
    const { reader: failed } = read(reader.write(reader.finish('It failed.')));
    expect(failed.end().answer.error).toEqual({ type: 'internalServerException', message: 'It failed.' });
  });
});
