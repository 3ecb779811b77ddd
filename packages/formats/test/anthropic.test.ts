import { apply, contentText, type Edit, type ReplaceEdit, type RewriteEdit } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { type AnthropicConversation, anthropic } from '../src/index.ts';
import { block, textBlock } from './blocks.ts';
import { rulesOf } from './every-codec.ts';

const reasons = [{ code: 'stub' }];
const thought = { type: 'thinking', thinking: 'The range is off by one.', signature: 'c2lnbmF0dXJl' } as const;
const readCall = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'Read',
  input: { file_path: 'range.ts', limit: 20 },
} as const;
const testCall = { type: 'tool_use', id: 'toolu_2', name: 'Bash', input: { command: 'npm test' } } as const;
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } } as const;
const readResult = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'export {};\n'.repeat(50) } as const;
const testResult = {
  type: 'tool_result',
  tool_use_id: 'toolu_2',
  is_error: true,
  content: [{ type: 'text', text: 'Exit code 1' }, picture],
  cache_control: { type: 'ephemeral' },
} as const;

const conversation: AnthropicConversation & { readonly model: string } = {
  model: 'a-model',
  system: [block('text', { text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } })],
  messages: [
    { role: 'user', content: 'Why does the build fail?' },
    { role: 'assistant', content: [thought, textBlock('I look.'), readCall, testCall] },
    {
      role: 'user',
      content: [readResult, testResult, textBlock('<system-reminder>be brief</system-reminder>')],
    },
    {
      role: 'assistant',
      content: [block('redacted_thinking', { data: 'b3BhcXVl' }), textBlock('Done.')],
    },
    {
      role: 'user',
      content: [block('text', { text: 'And the upload?', cache_control: { type: 'ephemeral' } })],
    },
  ],
};

function encode(edits: readonly Edit[], native: AnthropicConversation = conversation): AnthropicConversation {
  const decoded = anthropic.decode(native);
  return anthropic.encode(decoded, apply(decoded.messages, edits));
}

describe('decoding', () => {
  it('makes a message of every tool result, and one of the other blocks of the user', () => {
    const { messages, origins } = anthropic.decode(conversation);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'assistant',
      'user',
    ]);
    expect(messages[2]).toEqual({
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'The range is off by one.',
      tool_calls: [
        {
          id: 'toolu_1',
          type: 'function',
          function: { name: 'Read', arguments: '{"file_path":"range.ts","limit":20}' },
        },
        { id: 'toolu_2', type: 'function', function: { name: 'Bash', arguments: '{"command":"npm test"}' } },
      ],
    });
    expect(messages[4]).toEqual({
      role: 'tool',
      tool_call_id: 'toolu_2',
      content: [{ type: 'text', text: 'Exit code 1' }, picture],
    });
    expect(origins[4]).toEqual({ pieces: [{ index: 2, blocks: [1] }] });
    expect(origins[0]).toEqual({ pieces: [{ index: -1 }] });
  });

  it('reads the same messages if cache marks move', () => {
    const unmarked = JSON.parse(
      JSON.stringify(conversation, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
    ) as AnthropicConversation;
    expect(anthropic.decode(unmarked).messages).toEqual(anthropic.decode(conversation).messages);
  });

  it('reads a message again if it was changed in place', () => {
    const content: { type: string; text: string }[] = [{ type: 'text', text: 'One' }];
    const native = { messages: [{ role: 'user' as const, content }] };
    const first = anthropic.decode(native).messages[0];
    expect(anthropic.decode(native).messages[0]).toBe(first);
    content[0]!.text = 'Two';
    expect(anthropic.decode(native).messages[0]!.content).toBe('Two');
    content.push({ type: 'text', text: 'Three' });
    expect(anthropic.decode(native).messages[0]!.content).toHaveLength(2);
  });
});

describe('encoding', () => {
  it('changes only the content of a rewritten result', () => {
    const output = encode([{ kind: 'rewrite', at: 4, set: { content: '[Bash] ran `npm test` -> exit 1' }, reasons }]);
    expect(output.messages[2]).toEqual({
      role: 'user',
      content: [
        readResult,
        { ...testResult, content: '[Bash] ran `npm test` -> exit 1' },
        { type: 'text', text: '<system-reminder>be brief</system-reminder>' },
      ],
    });
    expect((output.messages[2]!.content as unknown[])[0]).toBe(readResult);
    for (const at of [0, 1, 3, 4]) expect(output.messages[at]).toBe(conversation.messages[at]);
    expect(output).toMatchObject({ model: 'a-model' });
    expect(output.system).toBe(conversation.system);
  });

  it('replaces an image with a placeholder', () => {
    const [said] = testResult.content;
    const content = [said, textBlock('[image removed]')];
    const output = encode([{ kind: 'rewrite', at: 4, set: { content }, reasons }]);
    const [, result] = output.messages[2]!.content as readonly unknown[] as readonly { content: readonly unknown[] }[];
    expect(result!.content).toEqual([said, textBlock('[image removed]')]);
    expect(result!.content[0]).toBe(said);
  });

  it('keeps or drops thoughts as a whole, and shortens the input of only one call', () => {
    const calls = anthropic.decode(conversation).messages[2]!.tool_calls!;
    const shorter = [
      { ...calls[0]!, function: { name: 'Read', arguments: '{"file_path":"range.ts"}' } },
      calls[1]!,
    ] as RewriteEdit['set']['tool_calls'] & object;
    const [, kept] = encode([{ kind: 'rewrite', at: 2, set: { tool_calls: shorter }, reasons }]).messages;
    const blocks = kept!.content as readonly unknown[];
    expect(blocks[0]).toBe(thought);
    expect(blocks[2]).toEqual({ ...readCall, input: { file_path: 'range.ts' } });
    expect(blocks[3]).toBe(testCall);
    const [, dropped] = encode([{ kind: 'rewrite', at: 2, set: { reasoning_content: null }, reasons }]).messages;
    expect(dropped!.content).toEqual((conversation.messages[1]!.content as readonly unknown[]).slice(1));
  });

  it('keeps the rest of a message that was partly summarized', () => {
    const handoff: ReplaceEdit = {
      kind: 'replace',
      groups: [1, 3],
      with: [{ handoff: writeHandoff('Earlier: the build failed.'), carry: [] }],
      reasons: [{ code: 'summarize' }],
    };
    const output = encode([handoff]);
    expect(output.messages[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: writeHandoff('Earlier: the build failed.') },
        { type: 'text', text: '<system-reminder>be brief</system-reminder>' },
      ],
    });
    expect(output.messages.slice(1)).toEqual(conversation.messages.slice(3));
    expect(anthropic.validate(output)).toEqual([]);
  });

  it('joins a handoff with the tool results before it, results first', () => {
    const output = encode([
      {
        kind: 'replace',
        groups: [3, 5],
        with: [{ handoff: writeHandoff('Earlier: it was done.'), carry: [] }],
        reasons,
      },
    ]);
    expect(output.messages).toHaveLength(3);
    expect(output.messages[2]!.content).toEqual([
      readResult,
      testResult,
      { type: 'text', text: writeHandoff('Earlier: it was done.') },
      (conversation.messages[4]!.content as readonly unknown[])[0],
    ]);
    expect(anthropic.validate(output)).toEqual([]);
  });

  it('keeps the cache marks of parts carried by a handoff, also after serialization as JSON', () => {
    const marked = block('text', { text: 'And the picture?', cache_control: { type: 'ephemeral' } });
    const native: AnthropicConversation = {
      messages: [...conversation.messages.slice(0, 4), { role: 'user', content: [picture, marked] }],
    };
    const edit: Edit = {
      kind: 'replace',
      groups: [0, 5],
      with: [{ handoff: writeHandoff('Earlier.'), carry: [6] }],
      reasons,
    };
    const output = encode([JSON.parse(JSON.stringify(edit)) as Edit], native);
    expect(output.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: writeHandoff('Earlier.') }, picture, marked] },
    ]);
    expect((output.messages[0]!.content as unknown[])[2]).toBe(marked);
  });

  it('keeps a compaction by the provider if its message is summarized', () => {
    const compaction = { type: 'compaction', content: 'What was before.' } as const;
    const native: AnthropicConversation = {
      messages: [
        { role: 'user', content: 'Go on.' },
        { role: 'assistant', content: [compaction, textBlock('I go on.')] },
        { role: 'user', content: 'And?' },
      ],
    };
    const output = encode(
      [{ kind: 'replace', groups: [0, 2], with: [{ handoff: writeHandoff('Earlier.'), carry: [] }], reasons }],
      native,
    );
    expect(output.messages[0]).toEqual({ role: 'assistant', content: [compaction] });
    expect(anthropic.validate(output)).toEqual([]);
  });

  it('appends to a system prompt without changing its cached blocks', () => {
    const native = {
      ...conversation,
      system: [conversation.system![0], { type: 'text', text: 'Be brief.' }],
    } as AnthropicConversation;
    const [prompt] = anthropic.decode(native).messages;
    const text = contentText(prompt!.content);
    const output = encode([{ kind: 'rewrite', at: 0, set: { content: `${text}\n\nA note.` }, reasons }], native);
    expect(output.system).toEqual([...(native.system as readonly unknown[]), { type: 'text', text: 'A note.' }]);
    expect(output.system![0]).toBe(native.system![0]);
  });

  it('rejects the provenance of another conversation', () => {
    const other = anthropic.decode({ messages: conversation.messages.slice(0, 2) });
    const result = apply(anthropic.decode(conversation).messages, [
      { kind: 'rewrite', at: 1, set: { content: 'x' }, reasons },
    ]);
    expect(() => anthropic.encode(other, result)).toThrow(/provenance does not belong/);
  });
});

describe('validating', () => {
  const user = { role: 'user', content: 'Go.' } as const;
  const calls = { role: 'assistant', content: [readCall, testCall] } as const;
  const rows: readonly (readonly [rule: string, index: number, native: AnthropicConversation])[] = [
    ['no-messages', -1, { messages: [] }],
    ['first-not-user', 0, { messages: [{ role: 'assistant', content: 'Hi.' }] }],
    ['roles-not-alternating', 1, { messages: [user, user] }],
    ['content-empty', 0, { messages: [{ role: 'user', content: [] }] }],
    ['text-empty', 0, { messages: [{ role: 'user', content: [textBlock(' ')] }] }],
    ['call-unanswered', 1, { messages: [user, calls, { role: 'user', content: [readResult] }] }],
    ['call-id-duplicate', 1, { messages: [user, { role: 'assistant', content: [readCall, readCall] }] }],
    [
      'call-input-not-object',
      1,
      {
        messages: [
          user,
          { role: 'assistant', content: [block('tool_use', { id: 'toolu_1', name: 'Read', input: 'x' })] },
        ],
      },
    ],
    ['result-orphan', 0, { messages: [{ role: 'user', content: [readResult] }] }],
    [
      'result-duplicate',
      2,
      {
        messages: [
          user,
          { role: 'assistant', content: [readCall] },
          { role: 'user', content: [readResult, readResult] },
        ],
      },
    ],
    [
      'result-misplaced',
      2,
      {
        messages: [
          user,
          { role: 'assistant', content: [readCall] },
          { role: 'user', content: [textBlock('so:'), readResult] },
        ],
      },
    ],
    [
      'thinking-unsigned',
      1,
      { messages: [user, { role: 'assistant', content: [block('thinking', { thinking: 'hm' }), readCall] }] },
    ],
    ['thinking-last', 1, { messages: [user, { role: 'assistant', content: [thought] }] }],
    [
      'cache-marks',
      -1,
      {
        messages: Array.from(
          { length: 5 },
          (_, at) =>
            ({
              role: at % 2 ? 'assistant' : 'user',
              content: [block('text', { text: 'x', cache_control: { type: 'ephemeral' } })],
            }) as const,
        ),
      },
    ],
  ];
  it.each(rows)('finds %s', (rule, index, native) => {
    expect(rulesOf(anthropic.validate(native))).toEqual([rule]);
    expect(anthropic.validate(native)[0]!.index).toBe(index);
  });

  it('accepts a legal request, and pending calls at the end', () => {
    expect(anthropic.validate(conversation)).toEqual([]);
    expect(anthropic.validate({ messages: [user, calls] })).toEqual([]);
  });
});
