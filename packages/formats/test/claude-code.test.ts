import { type Message, PalimpsestError } from '@palimpsest/core';
import { arbitraryTranscript } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnthropicConversation,
  anthropic,
  createClaudeCodeReader,
  readClaudeCode,
  type SessionLog,
} from '../src/index.ts';
import { answered, claudeLine, claudeLog, jsonLines, said } from './log-lines.ts';
import { readAnthropic, sharedDataPresent } from './shared-data.ts';

const call = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } });
const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: `export const ${id} = 1;` });
const thought = { type: 'thinking', thinking: 'Let me look.', signature: 'c2lnbmF0dXJl' };
const text = (words: string): object => ({ type: 'text', text: words });

function read(...lines: readonly object[]): SessionLog<unknown> {
  return readClaudeCode(jsonLines(lines));
}

/** The content of a conversation, with adjacent user messages joined. */
function parts(messages: readonly Message[]): unknown[] {
  return messages
    .flatMap((message) => {
      const { role, content, ...rest } = message;
      return [...(typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])), role, rest];
    })
    .filter((part) => part !== 'user' && JSON.stringify(part) !== '{}');
}

function words({ messages }: SessionLog<unknown>): unknown[] {
  return messages.map(({ role, content, tool_calls: calls }) => [role, calls ? calls.map(({ id }) => id) : content]);
}

describe('a Claude Code log', () => {
  it('is reassembled from one block per line, with other lines between them', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40, broken: false }), (transcript) => {
        const native = anthropic.fromMessages(
          transcript.filter(({ role }) => role !== 'system' && role !== 'developer'),
        );
        const log = readClaudeCode(jsonLines(claudeLog(native)));
        expect(log.messages).toEqual(anthropic.decode(native).messages);
      }),
      { numRuns: process.env.PALIMPSEST_DEEP ? 1_000 : 40 },
    );
  });

  it.skipIf(!sharedDataPresent)('gives real sessions as they were sent (needs ../shared)', () => {
    for (const [name, { messages }] of readAnthropic().slice(0, process.env.PALIMPSEST_DEEP ? 99 : 4)) {
      const native = { messages };
      const log = readClaudeCode(jsonLines(claudeLog(native)));
      const rules = (conversation: AnthropicConversation): readonly string[] =>
        anthropic.validate(conversation).flatMap(({ rule }) => (rule === 'roles-not-alternating' ? [] : [rule]));
      expect(rules(log.decoded.native), name).toEqual(rules(native));
      expect(
        JSON.stringify(parts(log.messages)) === JSON.stringify(parts(anthropic.decode(native).messages)),
        name,
      ).toBe(true);
    }
  });

  it('gives id, folder and version, and counts skipped lines', () => {
    const log = read(
      { type: 'summary', summary: 'Fixing the range', leafUuid: 'x' },
      said('a', null, 'Fix it.'),
      said('b', 'a', 'A caveat.', { isMeta: true }),
      answered('c', 'b', 'm1', [text('Done.')]),
      answered('d', 'c', 'm2', [text('API Error: 500')], {
        message: { id: 'm2', role: 'assistant', model: '<synthetic>', content: [text('API Error: 500')] },
      }),
      { type: 'a-type-of-next-year', uuid: 'e', parentUuid: 'd' },
    );
    expect(log).toMatchObject({
      format: 'claudeCode',
      id: '5f8c7c0e-1',
      folder: '/home/ada/range',
      versions: ['2.1.14'],
    });
    expect(log.skipped).toEqual({ summary: 1, meta: 1, synthetic: 1, 'a-type-of-next-year': 1 });
    expect(words(log)).toEqual([
      ['user', 'Fix it.'],
      ['assistant', 'Done.'],
    ]);
  });

  it('keeps parallel calls and their results that are not in the chain of lines', () => {
    const log = read(
      said('a', null, 'Read both.'),
      answered('b', 'a', 'm1', [thought]),
      answered('c', 'b', 'm1', [call('one')]),
      said('d', 'c', [result('one')]),
      answered('e', 'c', 'm1', [call('two')]),
      said('f', 'e', [result('two')]),
      answered('g', 'd', 'm2', [text('Both read.')]),
      said('h', 'g', 'Thanks.'),
    );
    expect(words(log)).toEqual([
      ['user', 'Read both.'],
      ['assistant', ['one', 'two']],
      ['tool', 'export const one = 1;'],
      ['tool', 'export const two = 1;'],
      ['assistant', 'Both read.'],
      ['user', 'Thanks.'],
    ]);
    expect(anthropic.validate(log.decoded.native as never)).toEqual([]);
  });

  it('leaves out branches that the user abandoned, also at the very beginning', () => {
    const log = read(
      said('a', null, 'Wrong start.'),
      answered('b', 'a', 'm1', [text('Started.')]),
      said('c', null, 'Right start.'),
      answered('d', 'c', 'm2', [call('one')]),
      said('e', 'd', [result('one')]),
      said('f', 'e', 'Wrong turn.'),
      answered('g', 'f', 'm3', [call('two')]),
      said('h', 'g', [result('two')]),
      said('i', 'e', 'Right turn.'),
    );
    expect(words(log)).toEqual([
      ['user', 'Right start.'],
      ['assistant', ['one']],
      ['tool', 'export const one = 1;'],
      ['user', 'Right turn.'],
    ]);
    expect(log.skipped).toEqual({ abandoned: 5 });
  });

  it('handles gaps, and lines that a resumed session repeats', () => {
    const log = read(
      said('a', null, 'Fix it.'),
      answered('b', 'a', 'm1', [text('Fixed.')]),
      said('c', 'a-line-that-was-lost', 'And the test?'),
      said('a', null, 'Fix it.'),
      answered('d', 'c', 'm2', [text('Green.')]),
    );
    expect(words(log).map((pair) => (pair as unknown[])[1])).toEqual(['Fix it.', 'Fixed.', 'And the test?', 'Green.']);
    expect(log.skipped).toEqual({ repeated: 1 });
  });

  it('reads prompts typed while the agent worked', () => {
    const log = read(
      said('a', null, 'Fix it.'),
      answered('b', 'a', 'm1', [call('one')]),
      claudeLine('c', 'b', { type: 'attachment', attachment: { type: 'queued_command', prompt: 'In German.' } }),
      said('d', 'c', [result('one')]),
      claudeLine('e', 'd', { type: 'attachment', attachment: { type: 'todo_reminder', content: [] } }),
    );
    expect(words(log)).toEqual([
      ['user', 'Fix it.'],
      ['assistant', ['one']],
      ['tool', 'export const one = 1;'],
      ['user', 'In German.'],
    ]);
    expect(log.skipped).toEqual({ attachment: 1 });
  });

  it('leaves sub-agents out, except in their own logs', () => {
    const side = [
      said('s', null, 'Search for it.', { isSidechain: true }),
      answered('t', 's', 'm9', [text('Found.')], { isSidechain: true }),
    ];
    const main = read(said('a', null, 'Fix it.'), ...side, answered('b', 'a', 'm1', [text('Fixed.')]));
    expect(words(main)).toEqual([
      ['user', 'Fix it.'],
      ['assistant', 'Fixed.'],
    ]);
    expect(main.skipped).toEqual({ sidechain: 2 });
    expect(words(read(...side))).toEqual([
      ['user', 'Search for it.'],
      ['assistant', 'Found.'],
    ]);
  });

  it('reads the output of `--output-format stream-json`, whose lines have no parents', () => {
    const line = (type: string, role: string, content: unknown, id?: string): object => ({
      type,
      message: { role, content, ...(id && { id }) },
      parent_tool_use_id: null,
      session_id: 'stream-1',
    });
    const log = read(
      { type: 'system', subtype: 'init', session_id: 'stream-1', cwd: '/work', tools: ['Read'] },
      line('user', 'user', 'Fix it.'),
      line('assistant', 'assistant', [text('I look.')], 'm1'),
      line('assistant', 'assistant', [call('one')], 'm1'),
      { ...line('assistant', 'assistant', [text('sub-agent')], 'm5'), parent_tool_use_id: 'toolu_1' },
      line('user', 'user', [result('one')]),
      line('assistant', 'assistant', [text('Fixed.')], 'm2'),
      { type: 'result', subtype: 'success', session_id: 'stream-1' },
    );
    expect(log).toMatchObject({ id: 'stream-1', folder: '/work', skipped: { system: 1, result: 1, sidechain: 1 } });
    expect(log.messages).toHaveLength(4);
    expect(log.messages[1]).toMatchObject({ content: 'I look.', tool_calls: [{ id: 'one' }] });
  });
});

describe('a log with compactions', () => {
  const before = [said('a', null, 'Fix it.'), answered('b', 'a', 'm1', [text('Fixed.')]), said('c', 'b', 'And now?')];
  const boundary = (fields: object = {}): object =>
    claudeLine('x', null, {
      type: 'system',
      subtype: 'compact_boundary',
      logicalParentUuid: 'c',
      compactMetadata: { trigger: 'auto', preTokens: 155_000, ...fields },
    });
  const summary = said('y', 'x', 'This session is being continued from a previous conversation.', {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });
  const after = answered('z', 'y', 'm2', [text('I go on.')]);

  it('is read as if it had never been compacted', () => {
    expect(words(read(...before, boundary(), summary, after)).map((pair) => (pair as unknown[])[1])).toEqual([
      'Fix it.',
      'Fixed.',
      'And now?',
      'I go on.',
    ]);
  });

  it('recognizes the unmarked summaries of older versions, and keeps one at the very beginning', () => {
    const old = said(
      'y',
      null,
      'This session is being continued from a previous conversation that ran out of context.',
    );
    const whole = readClaudeCode(jsonLines([...before, old, after])).messages.map(({ content }) => content);
    expect(whole).toEqual(['Fix it.', 'Fixed.', 'And now?', 'I go on.']);
    expect(readClaudeCode(jsonLines([old, after])).messages).toHaveLength(2);
  });
});

describe('a log that cannot be read', () => {
  it.each([
    ['invalid JSON', ['{"type":"user"', '{}'], 1, ''],
    ['not an object', ['[1]'], 1, ''],
    ['no message', ['{"type":"summary"}', '{"type":"user","uuid":"a","parentUuid":null}'], 2, 'message'],
    ['no content', ['', '{"type":"assistant","message":{"role":"assistant"}}'], 2, 'message.content'],
    [
      'a broken block',
      ['{"type":"user","message":{"content":[{"type":"tool_result"}]}}'],
      1,
      'message.content[0].tool_use_id',
    ],
  ])('is rejected with line and field: %s', (_, lines, line, field) => {
    let refused: unknown;
    try {
      readClaudeCode(lines);
    } catch (error) {
      refused = error;
    }
    expect(PalimpsestError.is(refused) && refused.code).toBe('MESSAGES_INVALID');
    expect((refused as PalimpsestError).details).toEqual({ format: 'claudeCode', index: line - 1, line, field });
    expect((refused as PalimpsestError).message).toContain(`Line ${line} `);
  });

  it('is read without a truncated last line', () => {
    const log = jsonLines([said('a', null, 'Fix it.'), answered('b', 'a', 'm1', [text('Fixed.')])]).slice(0, -9);
    expect(readClaudeCode(log).messages).toHaveLength(1);
    expect(readClaudeCode(log).skipped).toEqual({ 'cut-off': 1 });
  });

  it('takes linear time, whatever its structure', () => {
    const deep = (size: number): number => {
      const reader = createClaudeCodeReader();
      const started = process.cpuUsage();
      reader.add(said('u0', null, 'Go.'));
      for (let at = 1; at < size; at++)
        reader.add(
          at % 2
            ? answered(`u${at}`, `u${at - 1}`, 'm', [call(`c${at}`)])
            : said(`u${at}`, 'u0', [result(`c${at - 1}`)]),
        );
      expect(reader.end().messages).toHaveLength(size / 2 + 1);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    deep(1_000);
    expect(deep(20_000) / deep(2_000)).toBeLessThan(60);
  });
});
