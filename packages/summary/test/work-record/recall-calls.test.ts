import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';

describe('a search in the conversation itself', () => {
  it('is no work: neither a change nor a verdict', () => {
    const search = (name: string) => [
      user('Fix it.'),
      assistant(null, call('1', name, { query: 'src/parser.ts', pattern: 'src/parser.ts' })),
      result('1', '[1] ref 3fa9c01b: Bash npm test, 5 messages ago\n9| Tests: 3 failed, 4 passed'),
      assistant('Found.'),
    ];
    const { changes, verdicts } = readWorkRecord({ messages: search('recall') });
    expect([changes, verdicts]).toEqual([[], []]);
  });
});
