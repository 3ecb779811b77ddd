import { describe, expect, it } from 'vitest';
import { type Body, type StreamEvent, StreamReader, wireNamed } from '../src/wire.ts';

const wire = wireNamed('gemini');
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const isOwn = (name: unknown): boolean => name === 'recall';
const chunk = (parts: readonly object[], more: object = {}): Body => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
  responseId: 'r',
});
const done = { finishReason: 'STOP' };
const call = (name: string, more: object = {}): object => ({ functionCall: { name, args: {} }, ...more });
const list = (...chunks: readonly Body[]): string =>
  `[${chunks.map((one) => JSON.stringify(one, null, 2)).join('\n,\r\n')}\n]\n`;
const events = (...chunks: readonly Body[]): string =>
  chunks.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join('');

/** Reads streams as one message, in pieces of a few bytes. @returns what the client gets */
function merged(type: string, ...streams: readonly string[]): { readonly text: string; readonly reader: StreamReader } {
  const reader = new StreamReader(wire, wire.answers.framingOf(type, true)!, isOwn);
  const shown: StreamEvent[] = [];
  streams.forEach((stream, at) => {
    if (at > 0) reader.next();
    const bytes = encoder.encode(stream);
    for (let from = 0; from < bytes.length; from += 7) shown.push(...reader.read(bytes.subarray(from, from + 7)));
    shown.push(...reader.end().shown);
  });
  return { text: decoder.decode(reader.write([...shown, ...reader.finish()])), reader };
}

function partsOf(chunks: readonly Body[]): readonly object[] {
  return chunks.flatMap(({ candidates }) =>
    (candidates as { content: { parts: object[] } }[]).flatMap(({ content }) => content.parts),
  );
}

const first = [chunk([{ text: 'Let me "loo' }]), chunk([{ text: 'k]}".' }]), chunk([call('recall')], done)];
const second = [chunk([{ text: 'It is 35 – 7.' }]), chunk([{ text: '', thoughtSignature: 'c2ln' }], done)];

describe('a stream of the Gemini API', () => {
  it.each([
    ['as one JSON list', 'application/json; charset=UTF-8', list, (text: string) => JSON.parse(text) as Body[]],
    [
      'as server-sent events',
      'text/event-stream',
      events,
      (text: string) =>
        text
          .split('\n\n')
          .filter((event) => event !== '')
          .map((event) => JSON.parse(event.replace(/^data: /, '')) as Body),
    ],
  ] as const)('is put together from several answers: %s', (_, type, write, read) => {
    const chunks = read(merged(type, write(...first), write(...second)).text);
    expect(partsOf(chunks)).toEqual([
      { text: 'Let me "loo' },
      { text: 'k]}".' },
      { text: '\n\n' },
      { text: 'It is 35 – 7.' },
      { text: '', thoughtSignature: 'c2ln' },
      { text: '' },
    ]);
    const reasons = chunks.flatMap(
      ({ candidates }) => (candidates as { finishReason?: string }[])[0]!.finishReason ?? [],
    );
    expect(reasons).toEqual(['STOP']);
    expect(chunks.at(-1)).toMatchObject({
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
    });
  });

  it('is a list that ends after an error', () => {
    const reader = new StreamReader(wire, wire.answers.framingOf('application/json', true)!, isOwn);
    const begun = reader.read(encoder.encode(`[${JSON.stringify(first[0])}`));
    const text = decoder.decode(reader.write([...begun, ...reader.finish('It failed.')]));
    expect(JSON.parse(text)).toMatchObject([{ candidates: [{}] }, { error: { message: 'It failed.' } }]);
  });

  it('gives the signature of a removed call to the next one', () => {
    const signed = { thoughtSignature: 'c2ln' };
    const { text, reader } = merged(
      'application/json',
      list(chunk([call('recall', signed)]), chunk([call('read'), call('list')], done)),
    );
    expect(partsOf(JSON.parse(text) as Body[])).toEqual([call('read', signed), call('list'), { text: '' }]);
    const turn = reader.end().answer;
    expect(turn.visible).toEqual([{ role: 'model', parts: [call('read', signed), call('list')] }]);
    expect(turn.items).toEqual([{ role: 'model', parts: [call('recall', signed), call('read'), call('list')] }]);
    expect(turn).toMatchObject({ hasHostCalls: true, isComplete: true, calls: [{ name: 'recall' }] });
  });

  it('is read as one text, with parts that carry a signature as they are', () => {
    const { reader } = merged('text/event-stream', events(...second));
    expect(reader.end().answer).toMatchObject({
      text: 'It is 35 – 7.',
      items: [{ role: 'model', parts: [{ text: 'It is 35 – 7.' }, { text: '', thoughtSignature: 'c2ln' }] }],
    });
  });
});

describe('a request to the Gemini API', () => {
  const at = (path: string): URL => new URL(`https://generativelanguage.googleapis.com/v1beta/${path}`);

  it('says its model and its kind in the address', () => {
    const facts = wire.factsOf(
      { generationConfig: { maxOutputTokens: 9 } },
      at('models/gemini-3-pro:streamGenerateContent?alt=sse'),
    );
    expect(facts).toMatchObject({ model: 'gemini-3-pro', isStreamed: true, maxTokens: 9 });
    for (const path of [
      'models/m:countTokens',
      'models/m:embedContent',
      'models/m:batchGenerateContent',
      'cachedContents',
    ])
      expect(wire.isAddress(at(path)), path).toBe(false);
    expect(
      wire.isAddress(new URL('https://x.example/v1/projects/p/locations/l/publishers/google/models/m:generateContent')),
    ).toBe(true);
  });

  it('keeps one tool with functions, and lowers a thinking budget below a new cap', () => {
    const own = wire.declareTool({ type: 'function', function: { name: 'recall', parameters: {} } });
    const tools = [{ googleSearch: {} }, { function_declarations: [{ name: 'read' }] }];
    const body = wire.withTools({ tools }, [own]);
    expect(body.tools).toEqual([
      { googleSearch: {} },
      { function_declarations: [...own.functionDeclarations, { name: 'read' }] },
    ]);
    expect(wire.factsOf(body, at('models/m:generateContent')).tools).toMatchObject([
      { googleSearch: {} },
      { name: 'recall' },
      { name: 'read' },
    ]);
    const capped = wire.withCap(
      { generationConfig: { thinkingConfig: { thinkingBudget: 8_000, includeThoughts: true } } },
      4_000,
    );
    expect(capped).toEqual({
      generationConfig: { maxOutputTokens: 4_000, thinkingConfig: { thinkingBudget: 2_000, includeThoughts: true } },
    });
  });

  it('becomes a question without tools, cache and form', () => {
    const body = {
      contents: [],
      tools: [],
      tool_config: {},
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0, responseMimeType: 'text/plain', stopSequences: ['x'] },
    };
    expect(wire.question(body, 'Sum up.')).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0 },
      contents: [{ role: 'user', parts: [{ text: 'Sum up.' }] }],
    });
  });
});
