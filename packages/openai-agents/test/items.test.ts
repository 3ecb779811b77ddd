import type { AgentInputItem } from '@openai/agents';
import { openaiResponses, type ResponsesItem } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { toAgentItem } from '../src/items/to-agent-item.ts';
import { toResponsesItem } from '../src/items/to-responses.ts';

const png = 'data:image/png;base64,iVBORw0KGgo=';
const result = { type: 'function_call_result', callId: 'a', name: 'look', status: 'completed' } as const;
const picture = { type: 'input_image', image: png, detail: 'low' } as const;

const conversation: AgentInputItem[] = [
  { role: 'system', content: 'Be short.' },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'What is this?' },
      picture,
      { type: 'input_file', file: { url: 'https://example.com/a.pdf' } },
      { type: 'audio', audio: 'AAAA', format: 'wav' },
    ],
  },
  { type: 'reasoning', id: 'rs_1', content: [{ type: 'input_text', text: 'I look at it.' }] },
  { type: 'function_call', id: 'fc_1', callId: 'a', name: 'look', arguments: '{"at":"it"}', status: 'completed' },
  { type: 'shell_call', callId: 'b', status: 'completed', action: { commands: ['ls'] } },
  { ...result, output: { type: 'text' as const, text: 'A long output.' } },
  {
    type: 'shell_call_output',
    callId: 'b',
    output: [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
  },
  {
    type: 'hosted_tool_call',
    id: 'ws_1',
    name: 'web_search_call',
    status: 'completed',
    providerData: { type: 'web_search_call', action: { type: 'search', query: 'it' } },
  },
  { role: 'assistant', id: 'msg_1', status: 'completed', content: [{ type: 'output_text', text: 'A dot.' }] },
  { type: 'compaction', encrypted_content: 'gAAAA' },
  { type: 'unknown', providerData: { type: 'something_new' } },
  { role: 'user', content: 'Thanks.' },
];

/** The item, with other fields as an edit leaves them. */
function edited(item: AgentInputItem, fields: object): unknown {
  return toAgentItem({ ...toResponsesItem(item), ...fields } as ResponsesItem);
}

describe('items of the SDK as items of the Responses API', () => {
  it('are the same objects each time, and come back as the SDK wrote them', () => {
    const items = conversation.map(toResponsesItem);
    expect(conversation.map(toResponsesItem).every((item, at) => item === items[at])).toBe(true);
    expect(items.map(toAgentItem).every((item, at) => item === conversation[at])).toBe(true);
  });

  it('are read as one valid conversation', () => {
    const input = conversation.map(toResponsesItem);
    expect(openaiResponses.validate({ input })).toEqual([]);
    const { messages } = openaiResponses.decode({ input });
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'developer',
      'developer',
      'user',
    ]);
    expect(messages[2]).toMatchObject({
      reasoning_content: 'I look at it.',
      tool_calls: [
        { id: 'a', function: { name: 'look', arguments: '{"at":"it"}' } },
        { id: 'b', function: { name: 'shell', arguments: '{"commands":["ls"]}' } },
      ],
    });
    expect(messages[1]!.content).toMatchObject([{ text: 'What is this?' }, { image_url: png }, {}, {}]);
    expect(messages[4]!.content).toBe('a.txt\nexit code 0');
  });

  it('take over what an edit changed, in the form that the SDK uses', () => {
    const [, user, , call, , output, shell, , assistant] = conversation as [...AgentInputItem[]] & {
      readonly length: 12;
    };
    expect(edited(call!, { arguments: '{}' })).toEqual({ ...call, arguments: '{}' });
    expect(edited(output!, { output: 'Short.' })).toEqual({ ...result, output: { type: 'text', text: 'Short.' } });
    expect(edited({ ...result, output: 'A text.' }, { output: 'Short.' })).toEqual({ ...result, output: 'Short.' });
    expect(edited(shell!, { output: [{ stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 1 } }] })).toEqual({
      ...shell,
      output: [{ stdout: '', stderr: '', outcome: { type: 'exit', exitCode: 1 } }],
    });
    expect(edited(assistant!, { content: 'Shorter.' })).toEqual({
      ...assistant,
      content: [{ type: 'output_text', text: 'Shorter.' }],
    });
    const { content } = toResponsesItem(user!) as { readonly content: readonly object[] };
    const left = edited(user!, { content: [{ type: 'input_text', text: 'Removed.' }, content[1]] });
    expect(left).toEqual({ role: 'user', content: [{ type: 'input_text', text: 'Removed.' }, picture] });
    expect((left as { readonly content: readonly unknown[] }).content[1]).toBe(
      (user as { readonly content: readonly unknown[] }).content[1],
    );
    const several: AgentInputItem = { ...result, output: [{ type: 'input_text' as const, text: 'Long.' }, picture] };
    const parts = (toResponsesItem(several) as { readonly output?: unknown[] }).output!;
    expect(edited(several, { output: [{ type: 'input_text', text: 'S.' }, parts[1]] })).toEqual({
      ...result,
      output: [{ type: 'input_text', text: 'S.' }, picture],
    });
  });

  it('lose the id with which a provider would ask for a thought that an edit removed', () => {
    const { id: _, ...call } = toResponsesItem(conversation[3]!) as ResponsesItem & { readonly id: string };
    expect(toAgentItem(call)).not.toHaveProperty('id');
  });
});
