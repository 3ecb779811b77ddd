import { apply, type Edit } from '@palimpsest/core';
import { groupMessages, writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { openaiResponses, type ResponsesConversation, type ResponsesItem } from '../src/index.ts';
import { rulesOf } from './every-codec.ts';

/** An item with fields that the codec's loose types do not declare. */
function item(type: string, fields: object): ResponsesItem {
  return { type, ...fields };
}

const reasons = [{ code: 'summarize' }];
const ask = item('message', { role: 'user', content: 'Why does the build fail?' });
const reasoning = item('reasoning', {
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Look.' }],
  encrypted_content: 'gAAA',
});
const read = item('function_call', { id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"path":"a.ts"}' });
const patch = item('custom_tool_call', {
  id: 'ct_1',
  call_id: 'call_2',
  name: 'apply_patch',
  input: '*** Begin Patch',
});
const readOutput = item('function_call_output', { call_id: 'call_1', output: 'export {};', status: 'completed' });
const patchOutput = item('custom_tool_call_output', {
  call_id: 'call_2',
  output: [{ type: 'input_text', text: 'Done!' }],
});
const answer = item('message', {
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Fixed.', annotations: [] }],
});
const next = item('message', { role: 'user', content: [{ type: 'input_text', text: 'And the upload?' }] });
const compaction = item('compaction', { id: 'cmp_1', encrypted_content: 'b3BhcXVl' });
const unknown = item('item_of_next_year', { payload: { deep: [1] } });

function conversation(...input: readonly ResponsesItem[]): ResponsesConversation {
  return { instructions: 'You are a coding agent.', input };
}

const whole = conversation(ask, reasoning, read, patch, readOutput, patchOutput, answer, next);

function encode(native: ResponsesConversation, ...edits: readonly Edit[]): readonly ResponsesItem[] {
  const decoded = openaiResponses.decode(native);
  return openaiResponses.encode(decoded, apply(decoded.messages, edits)).input as readonly ResponsesItem[];
}

describe('decoding', () => {
  it('makes one message of reasoning and the parallel calls after it', () => {
    const { messages, origins } = openaiResponses.decode(whole);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages[2]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'Look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } },
        { id: 'call_2', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin Patch' } },
      ],
    });
    expect(origins[2]!.pieces.map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  it('keeps the output of a call stored by the provider, and sets continues', () => {
    const decoded = openaiResponses.decode({ previous_response_id: 'resp_1', input: [readOutput, next] });
    expect(decoded.continues).toBe('previous_response_id');
    expect(decoded.messages.map(({ role }) => role)).toEqual(['developer', 'user']);
    expect(openaiResponses.validate({ previous_response_id: 'resp_1', input: [readOutput] })).toEqual([]);
    const dropped: Edit = {
      kind: 'replace',
      groups: [0, 2],
      with: [{ handoff: writeHandoff('Earlier.'), carry: [] }],
      reasons,
    };
    expect(encode({ previous_response_id: 'resp_1', input: [readOutput, next] }, dropped)[0]).toBe(readOutput);
  });

  it('reads a string input as a user message', () => {
    const native = { input: 'Hello.' };
    const decoded = openaiResponses.decode(native);
    expect(decoded.messages).toEqual([{ role: 'user', content: 'Hello.' }]);
    expect(
      openaiResponses.encode(decoded, { messages: decoded.messages, provenance: { output: [], source: [] } }),
    ).toBe(native);
  });
});

describe('encoding', () => {
  it('changes only the content of a rewritten output; all other items are the same objects', () => {
    const input = encode(whole, { kind: 'rewrite', at: 3, set: { content: '[read] a.ts' }, reasons });
    expect(input[4]).toEqual({ ...readOutput, output: '[read] a.ts' });
    const items = whole.input as readonly ResponsesItem[];
    for (const at of [0, 1, 2, 3, 5, 6, 7]) expect(input[at]).toBe(items[at]);
  });

  it('keeps compactions and unknown items in place if the messages around them are summarized', () => {
    const items = whole.input as readonly ResponsesItem[];
    for (const opaque of [compaction, unknown])
      for (let at = 0; at <= items.length; at++) {
        const native = { input: [...items.slice(0, at), opaque, ...items.slice(at)] };
        const { messages } = openaiResponses.decode(native);
        const to = groupMessages(messages).length;
        const edit: Edit = {
          kind: 'replace',
          groups: [0, to],
          with: [{ handoff: writeHandoff('Earlier.'), carry: [] }],
          reasons,
        };
        expect(encode(native, edit)).toContain(opaque);
      }
  });

  it('keeps an unknown item of a summarized exchange, before the handoff', () => {
    const native = { input: [ask, read, unknown, readOutput, answer, next] };
    const edit: Edit = {
      kind: 'replace',
      groups: [0, 3],
      with: [{ handoff: writeHandoff('Earlier.'), carry: [] }],
      reasons,
    };
    expect(encode(native, edit)).toEqual([
      unknown,
      { type: 'message', role: 'user', content: writeHandoff('Earlier.') },
      next,
    ]);
  });

  it('drops reasoning together with the ids that would require it', () => {
    const input = encode(whole, { kind: 'rewrite', at: 2, set: { reasoning_content: null }, reasons });
    expect(input).not.toContain(reasoning);
    expect(input[1]).toEqual({ type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a.ts"}' });
  });

  it('never replaces a screenshot with text', () => {
    const call = item('computer_call', { call_id: 'call_9', action: { type: 'screenshot' } });
    const shot = item('computer_call_output', {
      call_id: 'call_9',
      output: { type: 'computer_screenshot', image_url: 'https://example.com/a.png' },
    });
    const native = { input: [ask, call, shot, answer] };
    expect(encode(native, { kind: 'rewrite', at: 2, set: { content: 'gone' }, reasons })[2]).toBe(shot);
  });
});

describe('validating', () => {
  const rows: readonly (readonly [rule: string, index: number, native: ResponsesConversation])[] = [
    ['no-input', -1, { input: [] }],
    ['user-empty', 0, { input: [item('message', { role: 'user', content: '' })] }],
    [
      'arguments-not-json',
      1,
      {
        input: [
          ask,
          item('function_call', { call_id: 'c', name: 'n', arguments: '{' }),
          item('function_call_output', { call_id: 'c', output: '' }),
        ],
      },
    ],
    ['call-unanswered', 1, { input: [ask, read, next] }],
    ['call-id-duplicate', 2, { input: [ask, read, read, readOutput] }],
    ['result-orphan', 1, { input: [ask, readOutput] }],
    ['reasoning-alone', 1, { input: [ask, reasoning, next] }],
  ];
  it.each(rows)('finds %s', (rule, index, native) => {
    expect(rulesOf(openaiResponses.validate(native))).toEqual([rule]);
    expect(openaiResponses.validate(native)[0]!.index).toBe(index);
  });

  it('accepts a legal request', () => {
    expect(openaiResponses.validate(whole)).toEqual([]);
  });
});

describe('a thought', () => {
  const reference = item('item_reference', { id: 'rs_1' });
  const input = [ask, reference, read, readOutput, answer, next];

  it.each([
    ['whole', reasoning],
    ['as a reference', reference],
  ])('is removed with the call after it: %s', (_, thought) => {
    const decoded = openaiResponses.decode(conversation(ask, thought, read, readOutput, answer, next));
    const group = groupMessages(decoded.messages).findIndex(({ kind }) => kind === 'calls');
    const edit: Edit = { kind: 'replace', groups: [group, group + 1], with: [], reasons };
    expect(openaiResponses.encode(decoded, apply(decoded.messages, [edit])).input).toEqual([ask, answer, next]);
  });

  it('is removed with the text after it, and the remaining items lose their ids', () => {
    const decoded = openaiResponses.decode(conversation(ask, reasoning, answer, read, readOutput));
    const edits: Edit[] = [{ kind: 'rewrite', at: 2, set: { content: '' }, reasons }];
    const { id: _, ...bare } = read as { readonly id?: string };
    expect(openaiResponses.encode(decoded, apply(decoded.messages, edits)).input).toEqual([ask, bare, readOutput]);
  });

  it('is rejected without it', () => {
    expect(openaiResponses.validate({ input })).toEqual([]);
    expect(rulesOf(openaiResponses.validate({ input: [ask, reference, next] }))).toEqual(['reasoning-alone']);
    expect(rulesOf(openaiResponses.validate({ input: [ask, reference] }))).toEqual(['reasoning-alone']);
  });
});
