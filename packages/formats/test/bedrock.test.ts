import type { ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { apply, type Edit, type Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { type BedrockConversation, type BedrockMessage, bedrock, detectFormat } from '../src/index.ts';

const user = (...content: readonly object[]): BedrockMessage => ({ role: 'user', content });
const model = (...content: readonly object[]): BedrockMessage => ({ role: 'assistant', content });
const called = (toolUseId: string, name: string, input: unknown = {}): object => ({
  toolUse: { toolUseId, name, input },
});
const answered = (toolUseId: string, ...content: readonly object[]): object => ({
  toolResult: { toolUseId, content, status: 'success' },
});
const cachePoint = { cachePoint: { type: 'default' } };
const thought = { reasoningContent: { reasoningText: { text: 'I think.', signature: 'c2ln' } } };
const redacted = { reasoningContent: { redactedContent: 'AAAA' } };

function edited(native: BedrockConversation, ...edits: readonly Edit[]): BedrockConversation {
  const decoded = bedrock.decode(native);
  return bedrock.encode(decoded, apply(decoded.messages, edits));
}

function rulesOf(...messages: readonly BedrockMessage[]): readonly string[] {
  return bedrock.validate({ messages }).map(({ rule }) => rule);
}

const rewrite = (at: number, set: Partial<Message>): Edit => ({
  kind: 'rewrite',
  at,
  set: set as Extract<Edit, { kind: 'rewrite' }>['set'],
  reasons: [{ code: 'stub' }],
});

const native: BedrockConversation = {
  system: [{ text: 'Be brief.' }, cachePoint],
  messages: [
    user({ text: 'Look.' }, cachePoint),
    model(
      thought,
      redacted,
      { text: 'I look.' },
      called('a', 'read', { path: 'a' }),
      called('b', 'read', { path: 'b' }),
    ),
    user(answered('a', { text: 'text of a' }), answered('b', { json: { lines: 3 } }), cachePoint, { text: 'Go on.' }),
    model({ citationsContent: { content: [{ text: 'It says so.' }], citations: [{ title: 'b' }] } }),
    user({ guardContent: { text: { text: 'And now?' } } }),
  ],
};

describe('a conversation of Converse', () => {
  it('is read with thoughts, calls, results, citations and guarded texts', () => {
    const read = bedrock.decode(native).messages.map(({ content, ...rest }) => ({
      ...rest,
      content: Array.isArray(content)
        ? content.map((part) => (part as { readonly text?: string }).text).join()
        : content,
    }));
    expect(read).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'I think.',
        tool_calls: [
          { id: 'a', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'b', function: { name: 'read', arguments: '{"path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'text of a' },
      { role: 'tool', tool_call_id: 'b', content: '{"lines":3}' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'It says so.' },
      { role: 'user', content: 'And now?' },
    ]);
    expect(bedrock.validate(native)).toEqual([]);
    expect(detectFormat(native)).toBe('bedrock');
  });

  it('is read with pictures and documents as other APIs write them, and keeps those of a rewritten message', () => {
    const image = { image: { format: 'png', source: { bytes: 'AAAA' } } };
    const document = { document: { format: 'pdf', name: 'a', source: { bytes: 'BBBB' } } };
    const messages = [user({ text: 'See.' }, image, document)];
    const [read] = bedrock.decode({ messages }).messages;
    expect(read!.content).toEqual([
      { type: 'text', text: 'See.' },
      { type: 'image', image: 'AAAA', mediaType: 'image/png' },
      { type: 'file', file: { filename: 'a', file_data: 'data:application/pdf;base64,BBBB' } },
    ]);
    const content = (read!.content as readonly object[]).slice(1) as Message['content'];
    const after = edited({ messages }, rewrite(0, { content }));
    // A message with a document needs a text.
    expect(after.messages).toEqual([user(image, { text: '[document]' }, document)]);
    expect(after.messages![0]!.content![0]).toBe(image);
    expect(bedrock.validate(after)).toEqual([]);
    // The same content, written anew.
    expect(bedrock.fromMessages([{ role: 'user', content }]).messages).toEqual([
      user(image, { text: '[document]' }, document),
    ]);
  });

  it('has the types of the AWS SDK', () => {
    const input: ConverseCommandInput = { modelId: 'm', messages: [{ role: 'user', content: [{ text: 'Hello' }] }] };
    const decoded = bedrock.decode(input);
    const back: ConverseCommandInput = bedrock.encode(decoded, {
      messages: decoded.messages,
      provenance: { output: [], source: [] },
    });
    expect(back).toBe(input);
  });

  it('is checked by the rules of the API', () => {
    expect(rulesOf()).toEqual(['no-messages']);
    expect(rulesOf(model({ text: 'Hello' }))).toEqual(['first-not-user']);
    expect(rulesOf(user({ text: ' ' }), user(cachePoint))).toEqual([
      'text-empty',
      'content-empty',
      'roles-not-alternating',
    ]);
    expect(rulesOf(user({ text: 'a' }), model(called('a', 'read')))).toEqual(['call-unanswered']);
    expect(
      rulesOf(user({ text: 'a' }), model(called('a', 'read', 'x'), called('a', 'read')), user(answered('a'))),
    ).toEqual(['call-input-not-object', 'call-id-duplicate']);
    expect(rulesOf(user(answered('a')), model({ text: 'a' }))).toEqual(['result-orphan']);
    expect(
      rulesOf(...Array.from({ length: 5 }, (_, at) => (at % 2 ? model : user)({ text: 'a' }, cachePoint))),
    ).toEqual(['cache-points']);
    const tools = Array.from({ length: 5 }, () => cachePoint);
    expect(bedrock.validate({ messages: [user({ text: 'a' })], toolConfig: { tools } } as BedrockConversation)).toEqual(
      [expect.objectContaining({ rule: 'cache-points' })],
    );
    const named = (name: string): object => ({ document: { format: 'txt', name, source: { bytes: 'QQ==' } } });
    const wrong = ['', 'a  b', 'a.b', 'a'.repeat(201)];
    expect(rulesOf(user({ text: 'a' }, ...wrong.map(named), named('(a) [b]-1')))).toEqual(
      wrong.map(() => 'document-name'),
    );
    expect(rulesOf(user({ text: 'a' }, named('a'), named('a')))).toEqual(['document-name-duplicate']);
    expect(rulesOf(user(named('a')))).toEqual(['document-without-text']);
    expect(rulesOf(user({ image: { format: 'tiff', source: { bytes: 'QQ==' } } }))).toEqual(['image-format']);
  });
});

describe('new messages for Converse', () => {
  const file = (filename?: string): object => ({
    type: 'file',
    file: { ...(filename === undefined ? {} : { filename }), file_data: 'data:text/plain;base64,QQ==' },
  });
  const written = (...content: readonly object[]): readonly object[] =>
    bedrock.fromMessages([{ role: 'user', content: content as unknown as Message['content'] }]).messages![0]!.content!;

  it('have documents with legal names, each of them once', () => {
    const long = 'a'.repeat(250);
    const files = [file(), file(), file(''), file('...'), file('a  b_c.txt'), file(long), file(long)];
    const messages = [user({ text: 'a' }, ...written(...files))];
    expect(bedrock.validate({ messages })).toEqual([]);
    const names = messages[0]!.content!.flatMap((block) => ('document' in block ? [block.document] : []));
    expect(names.map((document) => (document as { readonly name: string }).name.slice(0, 12))).toEqual([
      'document',
      'document-2',
      'document-3',
      'document-4',
      'a b-c-txt',
      'a'.repeat(12),
      'a'.repeat(12),
    ]);
  });

  it('have no document with the name of one that the caller sends', () => {
    const document = { document: { format: 'txt', name: 'document', source: { bytes: 'Qg==' } } };
    const kept = user({ text: 'See.' }, document);
    const decoded = bedrock.decode({ messages: [user({ text: 'a' }), model({ text: 'b' }), kept] });
    const content = [{ type: 'text', text: 'a' }, file()];
    const after = edited(decoded.native, rewrite(0, { content: content as Message['content'] }));
    expect(after.messages![0]!.content![1]).toMatchObject({ document: { name: 'document-2' } });
    expect(after.messages![2]).toBe(kept);
  });

  it('have only images that Bedrock reads', () => {
    const image = (mediaType: string): object => ({ type: 'image', image: 'AAAA', mediaType });
    const formats = ['image/jpg', 'image/webp', 'image/svg+xml', 'image/tiff'].map((type) => written(image(type))[0]);
    const shown = (format: string): object => ({ image: { format, source: { bytes: 'AAAA' } } });
    const hidden = { text: '[image: cannot be shown here]' };
    expect(formats).toEqual([shown('jpeg'), shown('webp'), hidden, hidden]);
  });

  it('have different ids for different calls', () => {
    const ids = [`${'a'.repeat(64)}1`, `${'a'.repeat(64)}2`, 'a.b', 'a_b', ''];
    const calls = ids.map((id) => ({ id, type: 'function' as const, function: { name: 'read', arguments: '{}' } }));
    const { messages } = bedrock.fromMessages([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: 'x' })),
    ]);
    expect(bedrock.validate({ messages })).toEqual([]);
    const legal = messages![1]!.content!.map(
      (block) => (block as { toolUse: { toolUseId: string } }).toolUse.toolUseId,
    );
    expect(new Set(legal).size).toBe(ids.length);
    for (const id of legal) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

describe('an edit of a conversation of Converse', () => {
  it('keeps everything that it does not touch, and the cache point behind a shortened result', () => {
    const after = edited(native, rewrite(4, { content: 'short' }));
    expect(after.system).toBe(native.system);
    expect(after.messages!.filter((message, at) => message !== native.messages![at])).toEqual([
      user(answered('a', { text: 'text of a' }), answered('b', { text: 'short' }), cachePoint, { text: 'Go on.' }),
    ]);
  });

  it('keeps the signed thoughts of a message whose call it shortens', () => {
    const { tool_calls: calls } = bedrock.decode(native).messages[2]!;
    const shorter = calls!.map((call) => ({ ...call, function: { name: 'read', arguments: '{}' } }));
    const after = edited(native, rewrite(2, { tool_calls: shorter } as Partial<Message>));
    expect(after.messages![1]).toEqual(
      model(thought, redacted, { text: 'I look.' }, called('a', 'read'), called('b', 'read')),
    );
  });

  it('leaves no cache point alone, and joins neighbours of one role with results first', () => {
    const handoff: Message = { role: 'user', content: 'What was before.' };
    const decoded = bedrock.decode(native);
    const { messages } = decoded;
    const result = {
      messages: [messages[0]!, handoff, messages[6]!, messages[7]!],
      provenance: {
        output: [
          { kind: 'original', from: 0 },
          { kind: 'inserted', covers: { from: 1, to: 6 } },
          { kind: 'original', from: 6 },
          { kind: 'original', from: 7 },
        ],
        source: messages.map((_, at) =>
          at === 0 || at > 5 ? { kind: 'kept', at: at === 0 ? 0 : at - 4 } : { kind: 'summarized', at: 1 },
        ),
      },
    };
    const after = bedrock.encode(decoded, result as never);
    expect(after.messages).toEqual([user({ text: 'What was before.' }), ...native.messages!.slice(3)]);
    expect(bedrock.validate(after)).toEqual([]);
    const image = { image: { format: 'png', source: { bytes: 'AAAA' } } };
    const shorter = edited(
      { messages: [user({ text: 'a' }, cachePoint, image, cachePoint)] },
      rewrite(0, { content: 'a' }),
    );
    expect(shorter.messages).toEqual([user({ text: 'a' }, cachePoint)]);
  });

  it('puts system messages into the prompt', () => {
    const { system } = bedrock.fromMessages([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go.' },
      { role: 'system', content: 'Be kind.' },
    ]);
    expect(system).toEqual([{ text: 'Be brief.' }, { text: 'Be kind.' }]);
  });
});
