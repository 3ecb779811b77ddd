import { PalimpsestError } from '@palimpsest/core';
import { arbitraryTranscript } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openaiResponses, type ResponsesItem, readCodex } from '../src/index.ts';
import { codexEras, jsonLines, record } from './log-lines.ts';

const message = (role: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const item = (fields: object): object => record('response_item', fields);

describe.each(Object.entries(codexEras))('a Codex log: %s', (_, write) => {
  it('gives the original items', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40 }), (messages) => {
        const items = openaiResponses.fromMessages(messages).input as readonly ResponsesItem[];
        const log = readCodex(write(items));
        expect(log.id).toBe('thread-1');
        expect(JSON.stringify(log.decoded.native.input)).toBe(JSON.stringify(items));
        const core = openaiResponses.decode({ input: items }).messages;
        expect(
          log.messages.filter(({ role }) => role !== 'system' || log.decoded.native.instructions === undefined).length,
        ).toBeGreaterThanOrEqual(core.filter(({ role }) => role !== 'system').length);
      }),
      { numRuns: process.env.PALIMPSEST_DEEP ? 500 : 20 },
    );
  });
});

describe('a Codex log', () => {
  const shell = {
    type: 'local_shell_call',
    call_id: 'c1',
    status: 'completed',
    action: { type: 'exec', command: ['ls'] },
  };
  const items = [
    message('user', '<environment_context>\n<cwd>/work</cwd>\n</environment_context>'),
    message('user', 'List them.'),
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look.' }], content: null, encrypted_content: 'gAAA' },
    shell,
    { type: 'function_call_output', call_id: 'c1', output: { content: 'a.ts', success: false } },
    { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin Patch', status: 'completed' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done!' },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'ranges' } },
    message('assistant', 'There is a.ts.'),
  ];

  it('reads every kind of call, reasoning and the system prompt', () => {
    const log = readCodex(codexEras['lines with a payload']!(items as ResponsesItem[]));
    expect(log.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(log.messages[0]!.content).toBe('You are a coding agent.');
    expect(log.messages[3]).toMatchObject({ reasoning_content: 'Look.', tool_calls: [{ id: 'c1' }] });
    expect(log.messages[4]).toMatchObject({ tool_call_id: 'c1', content: 'a.ts' });
    expect(openaiResponses.validate(log.decoded.native)).toEqual([]);
    expect(log).toMatchObject({ format: 'codex', folder: '/home/ada/range', versions: ['0.144.3'] });
    expect(log.skipped).toEqual({ event_msg: 10, turn_context: 1, ghost_snapshot: 1 });
  });

  it('leaves out turns that were rolled back', () => {
    const log = readCodex(
      jsonLines([
        ...items.map(item),
        item(message('user', 'Delete it.')),
        item(message('assistant', 'Deleted.')),
        item(message('user', 'Really.')),
        record('event_msg', { type: 'thread_rolled_back', num_turns: 2 }),
        item(message('user', 'Keep it.')),
      ]),
    );
    expect(log.messages.at(-1)!.content).toBe('Keep it.');
    expect(log.messages).toHaveLength(8);
  });

  it('is read with the whole history, as if it had never been compacted', () => {
    const replacement = [message('user', 'List them.'), message('user', 'Summary: there is a.ts.')];
    const lines = (fields: object): string =>
      jsonLines([
        ...items.map(item),
        item({ type: 'compaction', encrypted_content: 'gBBB' }),
        record('compacted', fields),
        item(message('user', 'And now?')),
      ]);
    const log = lines({ message: 'Summary: there is a.ts.', replacement_history: replacement });
    expect(readCodex(log).messages).toHaveLength(8);
    expect(readCodex(log).skipped).toEqual({ compaction: 1 });
  });

  it.each([
    [
      'a broken item',
      [record('session_meta', { id: 'a' }), item({ type: 'function_call', call_id: 'c' })],
      2,
      'payload.name',
    ],
    [
      'a bare item',
      [
        { id: 'a', timestamp: 't' },
        { type: 'message', role: 'user', content: 7 },
      ],
      2,
      'content',
    ],
    ['no payload', [{ type: 'response_item', payload: 'x' }], 1, 'payload'],
    [
      'an item of a document',
      [{ session: {}, items: [{ type: 'function_call_output', call_id: 'c' }] }],
      1,
      'items[0].output',
    ],
  ])('is rejected with line and field: %s', (_, lines, line, field) => {
    let refused: unknown;
    try {
      readCodex(jsonLines(lines));
    } catch (error) {
      refused = error;
    }
    expect(PalimpsestError.is(refused) && refused.code).toBe('MESSAGES_INVALID');
    expect((refused as PalimpsestError).details).toEqual({ format: 'codex', index: line - 1, line, field });
  });
});
