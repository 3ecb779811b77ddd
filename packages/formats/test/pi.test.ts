import { apply } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { type PiConversation, type PiMessage, pi } from '../src/index.ts';

const answer = { api: 'openai-responses', provider: 'openai', model: 'gpt-5', stopReason: 'toolUse', timestamp: 2 };
const thinking = { type: 'thinking', thinking: 'I should look.', thinkingSignature: '{"id":"rs_1"}' };
const text = { type: 'text', text: 'I look.', textSignature: '{"v":1,"id":"msg_1"}' };
const call = { type: 'toolCall', id: 'call_1|fc_1', name: 'bash', arguments: { command: 'cat a.ts' } };
const message = (fields: object): PiMessage => fields as PiMessage;
const native: PiConversation = {
  systemPrompt: 'You are a coding agent.',
  messages: [
    message({ role: 'user', content: 'Fix it.', timestamp: 1 }),
    message({ role: 'assistant', content: [thinking, text, call], ...answer }),
    message({
      role: 'toolResult',
      toolCallId: 'call_1|fc_1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'export {};' }],
      details: { exitCode: 0 },
      isError: false,
      timestamp: 3,
    }),
  ],
};

describe('messages of pi', () => {
  it('are read as the model gets them', () => {
    expect(pi.decode(native).messages).toEqual([
      { role: 'system', content: 'You are a coding agent.' },
      { role: 'user', content: 'Fix it.' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'I should look.',
        tool_calls: [
          { id: 'call_1|fc_1', type: 'function', function: { name: 'bash', arguments: '{"command":"cat a.ts"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1|fc_1', content: 'export {};' },
    ]);
  });

  it('keep their other fields when their content is edited', () => {
    const decoded = pi.decode(native);
    const stub = { kind: 'rewrite', at: 3, set: { content: '[bash] cat a.ts' }, reasons: [{ code: 'stub' }] } as const;
    const shorter = [
      { id: 'call_1|fc_1', type: 'function', function: { name: 'bash', arguments: '{"command":"…"}' } },
    ] as const;
    const calls = { kind: 'rewrite', at: 2, set: { tool_calls: shorter }, reasons: [{ code: 'arguments' }] } as const;
    const { messages } = pi.encode(decoded, apply(decoded.messages, [calls, stub]));
    expect(messages[0]).toBe(native.messages[0]);
    expect(messages[1]).toEqual({
      ...native.messages[1],
      content: [thinking, text, { ...call, arguments: { command: '…' } }],
    });
    expect(messages[2]).toEqual({ ...native.messages[2], content: [{ type: 'text', text: '[bash] cat a.ts' }] });
  });

  it('that pi sends as the user are read with the words that pi sends', () => {
    const { messages } = pi.decode({
      messages: [
        message({
          role: 'bashExecution',
          command: 'ls',
          output: 'a.ts',
          exitCode: 1,
          cancelled: false,
          truncated: false,
        }),
        message({ role: 'custom', customType: 'note', content: 'A note.', display: true }),
        message({ role: 'compactionSummary', summary: 'It began.', tokensBefore: 9 }),
        message({ role: 'branchSummary', summary: 'A try.', fromId: 'a' }),
      ],
    });
    expect(messages).toEqual([
      { role: 'user', content: 'Ran `ls`\n```\na.ts\n```\n\nCommand exited with code 1' },
      { role: 'user', content: 'A note.' },
      {
        role: 'user',
        content:
          'The conversation history before this point was compacted into the following summary:\n\n<summary>\nIt began.\n</summary>',
      },
      {
        role: 'user',
        content:
          'The following is a summary of a branch that this conversation came back from:\n\n<summary>\nA try.</summary>',
      },
    ]);
  });

  it('that pi never sends are not read', () => {
    const { messages } = pi.decode({
      messages: [
        message({ role: 'user', content: 'Go.' }),
        message({ role: 'assistant', content: [call], ...answer, stopReason: 'aborted' }),
        message({ role: 'bashExecution', command: 'ls', output: '', excludeFromContext: true }),
        message({ role: 'of-an-extension', content: 'x' }),
      ],
    });
    expect(messages).toEqual([{ role: 'user', content: 'Go.' }]);
  });
});
