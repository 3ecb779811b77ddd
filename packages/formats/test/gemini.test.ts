import { apply, type Edit, type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { type GeminiContent, gemini } from '../src/index.ts';

const signature = (of: string): string => btoa(`thoughts of ${of}`);
const user = (text: string): GeminiContent => ({ role: 'user', parts: [{ text }] });
const model = (...parts: readonly object[]): GeminiContent => ({ role: 'model', parts });
const called = (name: string, args: object, more: object = {}): object => ({ functionCall: { name, args }, ...more });
const answered = (name: string, output: string, more: object = {}): object => ({
  functionResponse: { name, response: { output }, ...more },
});
const results = (...parts: readonly object[]): GeminiContent => ({ role: 'user', parts });

function read(contents: readonly GeminiContent[]): readonly Message[] {
  return gemini.decode({ contents }).messages;
}

function edited(contents: readonly GeminiContent[], edits: readonly Edit[]): readonly GeminiContent[] {
  const decoded = gemini.decode({ contents });
  return gemini.encode(decoded, apply(decoded.messages, edits)).contents;
}

function rulesOf(contents: readonly GeminiContent[]): readonly string[] {
  return gemini.validate({ contents }).map(({ rule }) => rule);
}

const stub = (at: number, content: string): Edit => ({
  kind: 'rewrite',
  at,
  set: { content },
  reasons: [{ code: 'stub' }],
});

describe('a conversation of the Gemini API', () => {
  it('is read with its calls paired, with and without ids', () => {
    const messages = read([
      user('Look.'),
      model(
        { text: 'I think.', thought: true },
        { text: 'I look.' },
        called('read', { path: 'a' }, { thoughtSignature: signature('a') }),
        called('read', { path: 'b' }),
        called('list', {}),
      ),
      results(answered('list', 'three files'), answered('read', 'text of a'), answered('read', 'text of b')),
      model({ functionCall: { id: 'f1', name: 'read', args: {} } }),
      results(answered('read', 'all', { id: 'f1' })),
    ]);
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(messages[1]).toMatchObject({ content: 'I look.', reasoning_content: 'I think.' });
    const names = new Map(messages.flatMap(toolCalls).map((call) => [call.id, toolCallInput(call)]));
    expect(names.size).toBe(4);
    const pairs = messages.flatMap(({ tool_call_id: id, content }) => (id ? [[names.get(id), content]] : []));
    expect(pairs).toEqual([
      ['{}', 'three files'],
      ['{"path":"a"}', 'text of a'],
      ['{"path":"b"}', 'text of b'],
      ['{}', 'all'],
    ]);
  });

  it('pairs results without ids with calls that have some, also next to results with ids', () => {
    const call = (id: string): object => ({ functionCall: { id, name: 'read', args: {} } });
    const messages = read([
      user('Look.'),
      model(call('a'), call('b'), call('c')),
      results(answered('read', 'of a', { id: 'a' }), answered('read', 'of b'), answered('read', 'of c')),
    ]);
    expect(messages.slice(2).map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ['a', 'of a'],
      ['b', 'of b'],
      ['c', 'of c'],
    ]);
  });

  it('pairs a result whose id the client made up with the call that has none', () => {
    const [, call, result] = read([
      user('Look.'),
      model(called('read', {})),
      results(answered('read', 'seen', { id: 'read-1700000000-0' })),
    ]);
    expect(result!.tool_call_id).toBe(call!.tool_calls![0]!.id);
  });

  it('is read with the chunks of a streamed answer as one message, and keeps each of them', () => {
    const contents = [
      user('Look.'),
      model({ text: 'I lo' }),
      model({ text: 'ok.' }),
      model(called('read', {}, { thoughtSignature: signature('a') })),
      model({ text: '', thoughtSignature: signature('end') }),
      results(answered('read', 'seen')),
    ];
    const messages = read(contents);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages[1]!.content).toBe('I look.');
    expect(rulesOf(contents)).toEqual([]);
    const after = edited(contents, [stub(2, 'short')]);
    for (let at = 0; at < 5; at++) expect(after[at]).toBe(contents[at]);
  });

  it('is read in the spelling of protocol buffers, and written back in it', () => {
    const contents = [
      user('Look.'),
      model({ function_call: { name: 'read', args: {} }, thought_signature: signature('a') }),
      results({ function_response: { name: 'read', response: { result: 'a long text', lines: 3 } } }),
    ];
    const native = { system_instruction: { parts: [{ text: 'Be brief.' }] }, contents };
    const decoded = gemini.decode(native as { contents: GeminiContent[] });
    expect(decoded.messages.map(({ content }) => content)).toEqual(['Be brief.', 'Look.', null, 'a long text']);
    const after = gemini.encode(decoded, apply(decoded.messages, [stub(0, 'Be brief. Really.'), stub(3, 'short')]));
    expect(after).toEqual({
      system_instruction: { parts: [{ text: 'Be brief. Really.' }] },
      contents: [
        contents[0],
        contents[1],
        results({ function_response: { name: 'read', response: { result: 'short', lines: 3 } } }),
      ],
    });
  });

  it('is marked as continued when a part of it is in a cache', () => {
    const native = { cachedContent: 'cachedContents/a', contents: [user('And now?')] };
    expect(gemini.decode(native).continues).toBe('cachedContent');
  });
});

describe('an edit of a conversation of the Gemini API', () => {
  const call = called('write', { path: 'a', text: 'long' }, { thoughtSignature: signature('a') });
  const contents = [user('Write.'), model({ text: 'I write.' }, call), results(answered('write', 'done'))];

  it('keeps the signature of a call whose arguments it shortens: without it, the API refuses the turn', () => {
    const [, before] = read(contents);
    const [first] = before!.tool_calls!;
    const calls = [{ ...first!, function: { name: 'write', arguments: '{"path":"a"}' } }] as NonNullable<
      Message['tool_calls']
    >;
    const after = edited(contents, [
      { kind: 'rewrite', at: 1, set: { tool_calls: calls }, reasons: [{ code: 'stub' }] } as Edit,
    ]);
    const shorter = called('write', { path: 'a' }, { thoughtSignature: signature('a') });
    expect(after[1]).toEqual(model({ text: 'I write.' }, shorter));
    expect(rulesOf(after)).toEqual([]);
  });

  it('removes the signature of a text that it replaces, and keeps other parts as they are', () => {
    const before = [user('Write.'), model({ text: 'A long text.', thoughtSignature: signature('text') }, call)];
    const after = edited(before, [stub(1, 'Short.')]);
    expect(after[1]).toEqual(model({ text: 'Short.' }, call));
    expect(after[1]!.parts![1]).toBe(call);
  });

  it('replaces the text of a result with its pictures, and what is in its other fields stays', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'aaaa' } };
    const shown = { name: 'look', id: 'f1', response: { output: 'seen', code: 0 }, parts: [picture] };
    const before = [
      user('Look.'),
      model({ functionCall: { id: 'f1', name: 'look', args: {} } }),
      results({ functionResponse: shown }),
    ];
    const content = read(before)[2]!.content as readonly { readonly type: string }[];
    expect(content.map(({ type }) => type)).toEqual(['text', 'image']);
    const without = edited(before, [stub(2, 'short')])[2]!.parts!;
    expect(without).toEqual([{ functionResponse: { name: 'look', id: 'f1', response: { output: 'short', code: 0 } } }]);
    const text = { type: 'text', text: '[image removed]' } as const;
    const media = edited(before, [
      { kind: 'rewrite', at: 2, set: { content: [text, content[1]!] }, reasons: [{ code: 'media' }] } as Edit,
    ])[2]!.parts!;
    expect(media).toEqual([{ functionResponse: { ...shown, response: { output: '[image removed]', code: 0 } } }]);
  });

  it('does not put words into the content with results: they would belong to the turn of the calls', () => {
    const long = [...contents, model({ text: 'Done.' }), user('Thanks. Go on.')];
    const messages = read(long);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    const after = edited(long, [
      {
        kind: 'replace',
        groups: [2, 3],
        with: [{ handoff: writeHandoff('A note.'), carry: [] }],
        reasons: [{ code: 'summarize' }],
      },
    ] as unknown as readonly Edit[]);
    expect(after[2]).toBe(long[2]);
    expect(rulesOf(after)).toEqual([]);
  });
});

describe('the rules of the Gemini API', () => {
  const asked = model(
    { functionCall: { id: 'a', name: 'read', args: {} } },
    { functionCall: { id: 'b', name: 'read', args: {} } },
  );
  const given = (...ids: readonly string[]): GeminiContent =>
    results(...ids.map((id) => ({ functionResponse: { id, name: 'read', response: {} } })));
  const rows: readonly (readonly [string, readonly GeminiContent[], readonly string[]])[] = [
    ['no contents', [], ['no-contents']],
    ['an answer first', [model({ text: 'Hi.' }), user('Hi.')], ['first-not-user']],
    ['a content without parts', [{ role: 'user', parts: [] }], ['parts-empty']],
    ['one result for two calls', [user('Go.'), asked, given('a')], ['call-unanswered']],
    ['results in two contents', [user('Go.'), asked, given('a'), given('b')], []],
    [
      'words before the results',
      [user('Go.'), asked, user('Wait.'), given('a', 'b')],
      ['call-unanswered', 'result-orphan', 'result-orphan'],
    ],
    ['a result without a call', [user('Go.'), given('a')], ['result-orphan']],
    ['calls at the end', [user('Go.'), asked], ['call-unanswered']],
    [
      'an unsigned step after a signed one',
      [
        user('Go.'),
        model(called('read', {}, { thoughtSignature: signature('a') }), called('read', {})),
        results(answered('read', 'a'), answered('read', 'b')),
        model(called('read', {})),
        results(answered('read', 'c')),
      ],
      ['call-unsigned'],
    ],
    [
      'an unsigned step of an earlier turn',
      [
        user('Go.'),
        model(called('read', {})),
        results(answered('read', 'a')),
        user('Go on.'),
        model(called('read', {}, { thoughtSignature: signature('b') })),
        results(answered('read', 'b')),
      ],
      [],
    ],
  ];
  it.each(rows)('%s', (_, contents, rules) => {
    expect(rulesOf(contents)).toEqual(rules);
  });
});
