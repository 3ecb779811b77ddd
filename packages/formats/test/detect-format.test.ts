import { arbitraryTranscript } from '@palimpsest/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { detectFormat, type FormatName } from '../src/index.ts';
import { codecs } from './every-codec.ts';
import { claudeLog, codexEras } from './log-lines.ts';
import { readAnthropic, readShareGpt, sharedDataPresent, someTranscripts } from './shared-data.ts';

it.each(codecs)('detects $name, or openaiChat for plain text', (codec) => {
  fc.assert(
    fc.property(arbitraryTranscript({ maxLength: 30 }), (messages) => {
      const native = codec.fromMessages(messages);
      const found = detectFormat(native);
      if (found !== codec.name)
        expect([found, JSON.stringify(native)]).toEqual([
          'openaiChat',
          expect.not.stringMatching(/tool_use|tool-call|call_id/),
        ]);
    }),
    { numRuns: 100 },
  );
});

it.skipIf(!sharedDataPresent)('detects real conversations (needs ../shared)', () => {
  for (const [name, native] of readAnthropic()) expect(detectFormat(native), name).toBe('anthropic');
  for (const [name, messages] of someTranscripts(0)) expect(detectFormat({ messages }), name).toBe('openaiChat');
  for (const [name, [row]] of readShareGpt()) expect(detectFormat(row), name).toBe('shareGpt');
});

it('detects every possible first line of a session log', () => {
  for (const line of claudeLog({ messages: [{ role: 'user', content: 'Go.' }] }))
    expect(detectFormat(line)).toBe('claudeCode');
  for (const write of Object.values(codexEras))
    expect(detectFormat(JSON.parse(write([]).split('\n')[0]!))).toBe('codex');
});

const rows: readonly (readonly [what: string, value: unknown, format: FormatName | null])[] = [
  [
    'a request with a top-level system prompt',
    { system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] },
    'anthropic',
  ],
  [
    'a chat request with a field called system',
    { system: 'x', messages: [{ role: 'tool', tool_call_id: 'a', content: 'b' }] },
    'openaiChat',
  ],
  ['a bare list of messages', [{ role: 'user', content: 'Hi' }], 'openaiChat'],
  [
    'a bare list of items',
    [
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'a' },
    ],
    'openaiResponses',
  ],
  ['a string input', { input: 'Hi', model: 'a-model' }, 'openaiResponses'],
  ['a list of something else', [1, 2], null],
  ['a list of strings', { input: ['a', 'b'] }, null],
  ['an object of something else', { id: 'a', name: 'b' }, null],
  ['null', null, null],
];
it.each(rows)('detects %s', (_, value, format) => {
  expect(detectFormat(value)).toBe(format);
});
