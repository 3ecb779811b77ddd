import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { toCoreMessage } from '../src/messages/to-core.ts';
import { toLangchain } from '../src/messages/to-langchain.ts';

const call = { id: 'call_1', name: 'read_file', args: { path: 'src/a.ts' } };
const thoughtful = new AIMessage({
  id: 'msg_1',
  content: [
    { type: 'thinking', thinking: 'I have to look.', signature: 'c2ln' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'call_1', name: 'read_file', input: call.args },
  ],
  tool_calls: [call],
  additional_kwargs: { reasoning: { id: 'rs_1', summary: [] } },
  response_metadata: { output: [{ type: 'reasoning', id: 'rs_1' }] },
});
const result = new ToolMessage({ content: 'the content', tool_call_id: 'call_1', status: 'error', name: 'read_file' });

describe('toCoreMessage', () => {
  it('reads an answer with reasoning and calls, without the blocks that say the same', () => {
    expect(toCoreMessage(thoughtful)).toEqual({
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'I have to look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":"src/a.ts"}' } },
      ],
    });
  });

  it('keeps pictures as the same parts', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const { content } = toCoreMessage(new HumanMessage({ content: [{ type: 'text', text: 'Look.' }, picture] }));
    expect(Array.isArray(content) && content[1]).toBe(picture);
  });

  it('gives the same object for the same message', () => {
    expect(toCoreMessage(result)).toBe(toCoreMessage(result));
    expect(toCoreMessage(new SystemMessage('Be kind.'))).toEqual({ role: 'system', content: 'Be kind.' });
  });
});

describe('toLangchain', () => {
  const natives = [null, thoughtful, result];
  const core: readonly Message[] = [
    { role: 'system', content: 'Be kind.' },
    toCoreMessage(thoughtful),
    toCoreMessage(result),
  ];
  const write = (prepared: readonly Message[], output: readonly object[]) =>
    toLangchain(prepared, { output, source: [] } as never, core, natives);
  const kept = (from: number): object => ({ kind: 'original', from });

  it('returns messages without edits as the same objects', () => {
    const { messages, systemPrompt } = write(core, [kept(0), kept(1), kept(2)]);
    expect(messages).toEqual([thoughtful, result]);
    expect(messages.every((message, at) => message === natives[at + 1])).toBe(true);
    expect(systemPrompt).toBe('Be kind.');
  });

  it('writes an edited answer without the ids and the reasoning of its provider', () => {
    const shorter = { ...core[1]!, content: 'Looking.', reasoning_content: null };
    const [answer] = write([shorter], [{ kind: 'rewritten', from: 1, edit: 0 }]).messages as [AIMessage];
    expect(answer.content).toBe('Looking.');
    expect(answer.tool_calls).toMatchObject([call]);
    expect([answer.id, answer.additional_kwargs, answer.response_metadata]).toEqual([undefined, {}, {}]);
  });

  it('keeps what a result says apart from its content', () => {
    const shorter = { ...core[2]!, content: 'removed' };
    const [message] = write([shorter], [{ kind: 'rewritten', from: 2, edit: 0 }]).messages as [ToolMessage];
    expect(message).toMatchObject({ content: 'removed', tool_call_id: 'call_1', status: 'error', name: 'read_file' });
  });

  it('writes inserted messages by their role', () => {
    const inserted = { kind: 'inserted', edit: 0, covers: { from: 0, to: 1 } };
    const { messages } = write(
      [
        { role: 'user', content: 'A handoff.' },
        { role: 'assistant', content: 'Understood.' },
      ],
      [inserted, inserted],
    );
    expect(messages.map((message) => message.getType())).toEqual(['human', 'ai']);
  });
});
