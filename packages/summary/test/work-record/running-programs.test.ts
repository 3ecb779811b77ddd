import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';

const running = (output: string, id = 42): string =>
  `Chunk ID: a\nWall time: 30.0 seconds\nProcess running with session ID ${id}\nOriginal token count: 3\nOutput:\n${output}`;
const ended = (output: string, code: number): string =>
  `Chunk ID: b\nWall time: 2.0 seconds\nProcess exited with code ${code}\nOriginal token count: 9\nOutput:\n${output}`;
const poll = (id: string, session = 42): ReturnType<typeof call> =>
  call(id, 'write_stdin', { session_id: session, chars: '', yield_time_ms: 1_000, max_output_tokens: 6_000 });

const messages = [
  user('Run the tests.'),
  assistant('', call('a', 'exec_command', { cmd: 'npx vitest run', yield_time_ms: 1_000 })),
  result('a', running('RUN v4')),
  assistant('', poll('b')),
  result('b', running(' ✓ src/a.test.ts (3 tests)')),
  assistant('', poll('c')),
  result('c', ended(' FAIL src/b.test.ts > parses\n Tests  1 failed | 3 passed (4)', 1)),
];

describe('a program that runs on after its call', () => {
  it('names the calls that read its output', () => {
    const heads = readWorkRecord({ messages }).transcriptLines.lines.filter(({ kind }) => kind === 'call');
    expect(heads.map(({ text }) => text)).toEqual([
      'exec_command npx vitest run',
      'write_stdin npx vitest run',
      'write_stdin npx vitest run',
    ]);
  });

  it('has the verdict of its end', () => {
    const [verdict] = readWorkRecord({ messages }).verdicts;
    expect(JSON.stringify(verdict)).toContain('npx vitest run');
    expect(JSON.stringify(verdict)).toContain('1 failed');
  });

  it('is told apart from other programs, and a call without one stays as it is', () => {
    const other = [
      assistant('', call('d', 'exec_command', { cmd: 'npm run dev' })),
      result('d', running('ready', 7)),
      assistant('', poll('e', 7), poll('f', 8)),
      result('e', running('ok', 7)),
      result('f', 'No such session'),
    ];
    const heads = readWorkRecord({ messages: [...messages, ...other] }).transcriptLines.lines.filter(
      ({ kind }) => kind === 'call',
    );
    expect(heads.slice(-2).map(({ text }) => text)).toEqual([
      'write_stdin npm run dev',
      'write_stdin (session_id: 8, yield_time_ms: 1000, max_output_tokens: 6000)',
    ]);
  });
});
