import { type Message, readHandoff } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import {
  type Body,
  clearContent,
  compactionBlock,
  compactionOutput,
  isCompactAddress,
  readContextManagement,
  restoreBlock,
  restoreItem,
} from '../src/wire.ts';

const handoff = writeHandoff('## Active Task\nRead.');
const use = (id: string): Body => ({ type: 'tool_use', id, name: 'read', input: { path: id } });
const result = (id: string): Body => ({ type: 'tool_result', tool_use_id: id, content: `text of ${id} `.repeat(50) });
const exchange = (id: string): Body[] => [
  { role: 'assistant', content: [use(id)] },
  { role: 'user', content: [result(id)] },
];
const count = (body: Body): number => JSON.stringify(body).length;

describe('restoreBlock', () => {
  const kept = [{ role: 'user', content: `${handoff}\n\nRead.` }, ...exchange('a')];
  const block = compactionBlock(handoff, kept);

  it('puts the kept messages in place of the block and of all before it', () => {
    const answer = { role: 'assistant', content: [block, { type: 'text', text: 'Well.' }] };
    const messages = [{ role: 'user', content: 'Old.' }, answer, { role: 'user', content: 'Go on.' }];
    expect(restoreBlock({ messages })?.messages).toEqual([
      ...kept,
      { role: 'assistant', content: [{ type: 'text', text: 'Well.' }] },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  it('joins neighbours of one role, results first', () => {
    const messages = [
      { role: 'assistant', content: [block] },
      { role: 'user', content: 'Go on.' },
    ];
    const [, , last] = restoreBlock({ messages })!.messages as Body[];
    expect(last).toEqual({ role: 'user', content: [result('a'), { type: 'text', text: 'Go on.' }] });
  });

  it('leaves out what the client kept behind the block', () => {
    const messages = [{ role: 'assistant', content: [block] }, ...exchange('a'), ...exchange('b')];
    expect(restoreBlock({ messages })?.messages).toEqual([kept[0], ...exchange('a'), ...exchange('b')]);
  });

  it('reads the words of another block only where that is asked for, and of a handoff always', () => {
    const foreign = [
      { role: 'assistant', content: [{ type: 'compaction', content: 'Words.', encrypted_content: 'x' }] },
    ];
    expect(restoreBlock({ messages: foreign })).toBeNull();
    const [quoted] = restoreBlock({ messages: foreign }, { acceptsForeign: true })!.messages as [Message];
    expect(readHandoff(quoted)).toMatchObject({ body: 'Words.', rest: '', signature: undefined });
    const bare = [{ role: 'assistant', content: [{ type: 'compaction', content: handoff }] }];
    expect(restoreBlock({ messages: bare })?.messages).toEqual([{ role: 'user', content: handoff }]);
    for (const content of [null, ''])
      expect(
        restoreBlock(
          { messages: [{ role: 'assistant', content: [{ type: 'compaction', content }] }] },
          { acceptsForeign: true },
        ),
      ).toBeNull();
  });
});

describe('messages that a client sends again behind a block', () => {
  const task = { role: 'user', content: `${handoff}\n\nRead.` };
  const said = (content: string): Body[] => [
    { role: 'assistant', content: `Step ${content}.` },
    { role: 'user', content },
  ];
  const restored = (kept: Body[], sent: readonly object[]) =>
    restoreBlock({ messages: [{ role: 'assistant', content: [compactionBlock(handoff, kept)] }, ...sent] })!.messages;

  it('are found by their words, as in the example of Anthropic', () => {
    const kept = [task, ...said('One'), ...said('Two')];
    const marked = [{ type: 'text', text: 'One', cache_control: { type: 'ephemeral' } }];
    const sent = [{ role: 'user', content: marked }, ...said('Two')];
    expect(restored(kept, sent)).toEqual([...kept.slice(0, 2), ...sent]);
    expect(restored(kept, [{ role: 'user', content: 'Read.' }, ...kept.slice(1)])).toMatchObject([
      { role: 'user', content: [{ text: handoff }, { text: 'Read.' }] },
      ...kept.slice(1),
    ]);
    // Also older ones.
    expect(restored(kept, [...said('Zero'), ...kept.slice(1)])).toEqual([task, ...said('Zero'), ...kept.slice(1)]);
  });

  it('are not taken for others with the same call id', () => {
    const call = (path: string): Body[] => [
      { role: 'assistant', content: [{ ...use('call_0'), input: { path } }] },
      { role: 'user', content: [result('call_0')] },
    ];
    const kept = [task, ...call('a'), ...call('b')];
    expect(restored(kept, call('c'))).toEqual([...kept, ...call('c')]);
    expect(restored(kept, [...call('b'), ...call('c')])).toEqual([...kept, ...call('c')]);
  });

  it('are found although a result was shortened', () => {
    const short = [exchange('a')[0]!, { role: 'user', content: [{ ...result('a'), content: 'Short.' }] }];
    expect(restored([task, ...short], exchange('a'))).toEqual([task, ...exchange('a')]);
  });
});

describe('cache marks', () => {
  const mark = { type: 'ephemeral' };
  const inner = { type: 'text', text: 'x', cache_control: mark };
  const kept = [
    { role: 'user', content: [{ type: 'text', text: handoff, cache_control: mark }] },
    { role: 'assistant', content: [{ ...use('a'), cache_control: mark }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [inner], cache_control: mark }] },
  ];

  it('are not kept in a block; its own goes to the end of what replaces it', () => {
    for (const own of [undefined, mark]) {
      const block = { ...compactionBlock(handoff, kept), cache_control: own };
      const text = JSON.stringify(restoreBlock({ messages: [{ role: 'assistant', content: [block] }] }));
      expect(text.split('cache_control').length - 1).toBe(own ? 1 : 0);
      if (own) expect(text.endsWith('"cache_control":{"type":"ephemeral"}}]}]}')).toBe(true);
    }
  });
});

it('a block is restored from its signature, too', () => {
  const { encrypted_content: _, ...block } = compactionBlock(handoff, exchange('a'));
  expect(restoreBlock({ messages: [{ role: 'assistant', content: [block] }] })?.messages).toEqual(exchange('a'));
});

describe('restoreItem', () => {
  it('puts the kept items in place of what they cover, and keeps new instructions', () => {
    const before = [
      { role: 'developer', content: 'Old.' },
      { role: 'user', content: 'Read.' },
    ];
    const after = [{ role: 'user', content: `${handoff}\n\nRead.` }];
    const output = compactionOutput('cmp_1', before, after);
    expect(output[0]).toEqual({ type: 'message', role: 'user', content: 'Read.' });
    const fresh = { role: 'developer', content: 'New.' };
    const sent = [
      fresh,
      { role: 'user', content: [{ type: 'input_text', text: 'Read.' }] },
      output[1],
      { role: 'user', content: 'Go on.' },
    ];
    expect(restoreItem({ input: sent })?.input).toEqual([fresh, ...after, { role: 'user', content: 'Go on.' }]);
    // Compacted again, the handoff is not one of the user's messages.
    expect(compactionOutput('cmp_2', after, after)[0]).toEqual(output[0]);
  });

  it.each(['x', 'palimpsest:1:', 'palimpsest:1:{"items":[7],"covered":[]}', 7, null])('leaves %j alone', (content) => {
    expect(restoreItem({ input: [{ type: 'compaction', encrypted_content: content }] })).toBeNull();
  });

  it('knows the address', () => {
    expect(isCompactAddress(new URL('http://a/v1/responses/compact'))).toBe(true);
    expect(isCompactAddress(new URL('http://a/v1/responses'))).toBe(false);
  });
});

describe('readContextManagement', () => {
  it('has the defaults of Anthropic', () => {
    expect(readContextManagement({})).toBeNull();
    expect(readContextManagement({ context_management: {} })).toEqual({ clears: [], compact: null });
    expect(readContextManagement({ context_management: { edits: [{ type: 'compact_20260112' }] } })).toEqual({
      clears: [],
      compact: { trigger: 150_000, isAlone: false, instructions: null },
    });
    expect(readContextManagement({ compaction: { type: 'summarize', instructions: ' Files. ' } })).toEqual({
      clears: [],
      compact: { trigger: 0, isAlone: true, instructions: 'Files.' },
    });
  });

  it('says what is wrong', () => {
    expect(readContextManagement({ compaction: { type: 'x' } })).toMatch(/summarize/);
    expect(readContextManagement({ compaction: { type: 'summarize' }, context_management: {} })).toMatch(/combined/);
    const edits = [{ type: 'clear_tool_uses_20250919' }, { type: 'clear_thinking_20251015' }];
    expect(readContextManagement({ context_management: { edits } })).toMatch(/first/);
  });
});

describe('clearContent', () => {
  const body = { messages: [{ role: 'user', content: 'Read.' }, ...exchange('a'), ...exchange('b'), ...exchange('c')] };
  const clear = (fields: object) => clearContent(body, [{ type: 'clear_tool_uses_20250919', ...fields }], count);

  it('never clears results that the model has not seen', () => {
    const { body: cleared, applied } = clear({
      trigger: { type: 'tool_uses', value: 1 },
      keep: { type: 'tool_uses', value: 0 },
    });
    const messages = cleared.messages as Body[];
    expect(messages.at(-1)).toBe(body.messages.at(-1));
    expect(JSON.stringify(messages[2])).toContain('content cleared');
    expect(applied).toEqual([
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: count(body) - count(cleared) },
    ]);
  });

  it('returns the body itself below its trigger, and when it would clear too little', () => {
    expect(clear({}).body).toBe(body);
    expect(clear({ trigger: { type: 'tool_uses', value: 3 } }).body).toBe(body);
    const { body: same, applied } = clear({
      trigger: { type: 'input_tokens', value: 10 },
      keep: { type: 'tool_uses', value: 1 },
      clear_at_least: { type: 'input_tokens', value: 1_000_000 },
    });
    expect(same).toBe(body);
    expect(applied).toEqual([]);
  });
});
