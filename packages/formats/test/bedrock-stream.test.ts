import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frame } from '../../../test/loopback-server/bedrock-protocol.ts';
import { FrameReader, writeFrame } from '../src/bedrock/frame.ts';
import { answerReader, type Body, type StreamEvent, StreamReader, wireNamed } from '../src/wire.ts';

const wire = wireNamed('bedrock');
const type = 'application/vnd.amazon.eventstream';
const isOwn = (name: unknown): boolean => name === 'recall';
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
/** The codec of the AWS SDK. */
const aws = new EventStreamCodec(
  (bytes) => decoder.decode(bytes),
  (text) => encoder.encode(text),
);

/** Writes events as Bedrock does: each in a frame of its own. */
function frames(...events: readonly Body[]): Uint8Array {
  return Buffer.concat(
    events.flatMap((event) => Object.entries(event).map(([name, value]) => frame(name, value as object))),
  );
}

function eventsIn(bytes: Uint8Array): Body[] {
  const events: Body[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
    const { headers, body } = aws.decode(bytes.subarray(at, at + length));
    const name = (headers[':event-type'] ?? headers[':exception-type'])!.value as string;
    events.push({ [name]: JSON.parse(decoder.decode(body)) as unknown });
    at += length;
  }
  return events;
}

/** Reads streams as one message, in pieces of a few bytes. @returns what the client gets */
function merged(...streams: readonly Uint8Array[]): { readonly events: Body[]; readonly reader: StreamReader } {
  const reader = new StreamReader(wire, wire.answers.framingOf(type, true)!, isOwn);
  const shown: StreamEvent[] = [];
  streams.forEach((bytes, at) => {
    if (at > 0) reader.next();
    for (let from = 0; from < bytes.length; from += 7) shown.push(...reader.read(bytes.subarray(from, from + 7)));
    shown.push(...reader.end().shown);
  });
  return { events: eventsIn(reader.write([...shown, ...reader.finish()])), reader };
}

const start = { messageStart: { role: 'assistant' } };
const delta = (contentBlockIndex: number, of: object): Body => ({
  contentBlockDelta: { contentBlockIndex, delta: of },
});
const stop = (contentBlockIndex: number): Body => ({ contentBlockStop: { contentBlockIndex } });
const calling = (contentBlockIndex: number, name: string): Body => ({
  contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId: `id_${name}`, name } } },
});
const ending = (stopReason: string, outputTokens: number): readonly Body[] => [
  { messageStop: { stopReason } },
  { metadata: { usage: { inputTokens: 10, outputTokens, totalTokens: 10 + outputTokens }, metrics: { latencyMs: 5 } } },
];
const thinking = [
  delta(0, { reasoningContent: { text: 'I ' } }),
  delta(0, { reasoningContent: { text: 'think.' } }),
  delta(0, { reasoningContent: { signature: 'c2ln' } }),
  stop(0),
];
const search = [
  start,
  ...thinking,
  delta(1, { text: 'Let me “look”.' }),
  stop(1),
  calling(2, 'recall'),
  delta(2, { toolUse: { input: '{"query":' } }),
  delta(2, { toolUse: { input: '"a"}' } }),
  stop(2),
  ...ending('tool_use', 2),
];

describe('a stream of ConverseStream', () => {
  it('is put together from several answers, without own calls', () => {
    const { events } = merged(
      frames(...search),
      frames(start, delta(0, { text: 'It is 35 – 7.' }), stop(0), ...ending('end_turn', 3)),
    );
    expect(events).toEqual([
      start,
      ...thinking,
      delta(1, { text: 'Let me “look”.' }),
      stop(1),
      delta(2, { text: 'It is 35 – 7.' }),
      stop(2),
      { messageStop: { stopReason: 'end_turn' } },
      {
        metadata: { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, metrics: { latencyMs: 5 } },
      },
    ]);
  });

  it('is read with its blocks, so that they can be sent again', () => {
    const { reader } = merged(
      frames(
        start,
        delta(0, { reasoningContent: { redactedContent: 'AA==' } }),
        delta(0, { reasoningContent: { redactedContent: 'AAA=' } }),
        stop(0),
        calling(1, 'read'),
        delta(1, { toolUse: { input: '{}' } }),
        stop(1),
        delta(2, { text: 'As it says.' }),
        delta(2, { citation: { title: 'b' } }),
        stop(2),
        ...ending('tool_use', 2),
      ),
    );
    const { answer } = reader.end();
    const content = [
      { reasoningContent: { redactedContent: 'AAAA' } },
      { toolUse: { toolUseId: 'id_read', name: 'read', input: {} } },
      { citationsContent: { content: [{ text: 'As it says.' }], citations: [{ title: 'b' }] } },
    ];
    expect(answer).toMatchObject({ hasHostCalls: true, isComplete: true, text: 'As it says.', error: null });
    expect(answer.items).toEqual([{ role: 'assistant', content }]);
    expect(answer.usage).toMatchObject({ promptTokens: 10, completionTokens: 2 });
  });

  it('keeps results of tools that the provider runs, and images', () => {
    const { reader } = merged(
      frames(
        start,
        { contentBlockStart: { contentBlockIndex: 0, start: { toolResult: { toolUseId: 'a', type: 'x' } } } },
        delta(0, { toolResult: [{ text: 'It is' }] }),
        delta(0, { toolResult: [{ text: ' so.' }, { json: { n: 1 } }] }),
        stop(0),
        { contentBlockStart: { contentBlockIndex: 1, start: { image: { format: 'png' } } } },
        delta(1, { image: { source: { bytes: 'AAAA' } } }),
        stop(1),
        ...ending('end_turn', 2),
      ),
    );
    const content = [
      { toolResult: { toolUseId: 'a', type: 'x', content: [{ text: 'It is so.' }, { json: { n: 1 } }] } },
      { image: { format: 'png', source: { bytes: 'AAAA' } } },
    ];
    expect(reader.end().answer.items).toEqual([{ role: 'assistant', content }]);
  });

  it('reports an exception in it, passes it on, and ends with one when a later answer fails', () => {
    const failed = { throttlingException: { message: 'Too many requests.' } };
    const { events, reader } = merged(frames(start, delta(0, { text: 'I' }), failed));
    expect(events).toEqual([start, delta(0, { text: 'I' }), failed]);
    expect(reader.end().answer).toMatchObject({ isComplete: false, error: { type: 'throttlingException' } });
    expect(eventsIn(reader.write(reader.finish('It failed.')))).toEqual([
      { internalServerException: { message: 'It failed.' } },
    ]);
  });

  it('reports an error without a type of its own, and makes it an exception that SDKs throw', () => {
    const error = aws.encode({
      headers: {
        ':message-type': { type: 'string', value: 'error' },
        ':error-code': { type: 'string', value: 'InternalError' },
        ':error-message': { type: 'string', value: 'It “broke”.' },
      },
      body: new Uint8Array(),
    });
    const { events, reader } = merged(Buffer.concat([frames(start, delta(0, { text: 'I' })), error]));
    expect(events.at(-1)).toEqual({ InternalErrorException: { message: 'It “broke”.' } });
    const { answer } = reader.end();
    expect(answer).toMatchObject({
      isComplete: false,
      error: { type: 'InternalErrorException', message: 'It “broke”.' },
    });
  });

  it('keeps what it has read when a frame is damaged', () => {
    const reader = answerReader(wire, type, true)!;
    const damaged = frames(delta(0, { text: ' Bye.' }));
    damaged[damaged.length - 1]! ^= 1;
    for (const bytes of [frames(start, delta(0, { text: 'Hello.' })), damaged, frames(delta(0, { text: ' Again.' }))])
      reader.read(bytes);
    expect(reader.end()).toMatchObject({ text: 'Hello.', isComplete: false });
  });

  it('is not looked for in other types of content', () => {
    expect(answerReader(wire, 'text/html')).toBeNull();
  });
});

describe('a frame of an event stream', () => {
  it('is what the AWS SDK reads and writes', () => {
    const frame = fc.record({
      type: fc.stringMatching(/^[a-z]{1,40}(?:Exception)?$/),
      payload: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), fc.integer({ min: 1, max: 99 }), (given, size) => {
        const bytes = Uint8Array.from(given.flatMap((one) => [...writeFrame(one)]));
        const read: object[] = [];
        const reader = new FrameReader(10_000, (one) => read.push(one));
        for (let at = 0; at < bytes.length; at += size) reader.read(bytes.slice(at, at + size));
        expect(read).toEqual(given);
        for (const { type: name, payload } of given) {
          const { headers, body } = aws.decode(writeFrame({ type: name, payload }));
          const kind = name.endsWith('Exception') ? 'exception' : 'event';
          expect(headers[`:${kind}-type`]).toEqual({ type: 'string', value: name });
          expect(decoder.decode(body)).toBe(payload);
          expect(aws.encode({ headers, body })).toEqual(writeFrame({ type: name, payload }));
        }
      }),
    );
  });

  it('may have headers of any type', () => {
    const read: object[] = [];
    const bytes = aws.encode({
      headers: {
        a: { type: 'boolean', value: true },
        b: { type: 'byte', value: 1 },
        c: { type: 'short', value: 1 },
        d: { type: 'integer', value: 1 },
        e: { type: 'binary', value: Uint8Array.of(1, 2) },
        f: { type: 'timestamp', value: new Date(0) },
        g: { type: 'uuid', value: '00000000-0000-0000-0000-000000000000' },
        ':event-type': { type: 'string', value: 'chunk' },
      },
      body: encoder.encode('{}'),
    });
    new FrameReader(1_000, (frame) => read.push(frame)).read(bytes);
    expect(read).toEqual([{ type: 'chunk', payload: '{}' }]);
  });

  it.each([
    ['is too long', (bytes: Uint8Array) => bytes, 20],
    ['has a wrong checksum', (bytes: Uint8Array) => bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte)), 1_000],
    ['has a length that cannot be', (bytes: Uint8Array) => bytes.map((byte, at) => (at < 4 ? 0 : byte)), 1_000],
  ])('throws if it %s', (_, change, maxBytes) => {
    const reader = new FrameReader(maxBytes, () => {});
    expect(() => reader.read(change(frames(start)))).toThrow(RangeError);
  });
});

describe('a request to Converse', () => {
  const at = (path: string): URL => new URL(`https://bedrock-runtime.us-east-1.amazonaws.com/${path}`);

  it('says its model and its kind in the address', () => {
    const model = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-v1:0';
    const path = `model/${encodeURIComponent(model)}/converse-stream`;
    expect(wire.factsOf({ inferenceConfig: { maxTokens: 9 } }, at(path))).toMatchObject({
      model,
      isStreamed: true,
      maxTokens: 9,
    });
    expect(wire.isAddress(at(path))).toBe(true);
    expect(wire.isAddress(at('model/m/count-tokens'))).toBe(false);
  });

  it('has its thinking budget lowered below a new cap', () => {
    const body = { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 8_000 }, top_k: 5 } };
    expect(wire.factsOf(body, at('model/m/converse')).minTokens).toBe(2_048);
    expect(wire.withCap(body, 4_000)).toEqual({
      inferenceConfig: { maxTokens: 4_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 }, top_k: 5 },
    });
  });

  it('becomes a question without tools and form', () => {
    const body = {
      system: [{ text: 'Be brief.' }],
      messages: [],
      toolConfig: { tools: [] },
      outputConfig: {},
      inferenceConfig: { temperature: 0, stopSequences: ['x'] },
      additionalModelRequestFields: { tools: [], tool_choice: { type: 'tool', name: 'bash' }, top_k: 5 },
    };
    expect(wire.obstaclesIn(body)).toEqual({ tools: expect.any(String), text: expect.any(String) });
    expect(wire.question(body, 'Sum up.')).toEqual({
      system: [{ text: 'Be brief.' }],
      inferenceConfig: { temperature: 0 },
      additionalModelRequestFields: { top_k: 5 },
      messages: [{ role: 'user', content: [{ text: 'Sum up.' }] }],
    });
  });
});
