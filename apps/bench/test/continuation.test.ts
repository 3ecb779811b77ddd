import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { describe, expect, it } from 'vitest';
import { brokenProbes, cutsWithProbes } from '../src/continuation/cuts-with-probes.ts';
import { measureRepetition, numberedActions } from '../src/continuation/repeated.ts';
import { kindOf } from '../src/continuation/session-kind.ts';
import { continuationTargets } from '../src/continuation/targets.ts';
import { measureWriters } from '../src/continuation/writers.ts';

let calls = 0;
/** A tool call with its result. */
function exchange(name: string, input: unknown, result = 'Done.'): Message[] {
  const id = `call_${++calls}`;
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}
const user = (content: string): Message => ({ role: 'user', content });
const agent = (content: string): Message => ({ role: 'assistant', content });

describe('sessions', () => {
  it('are grouped by kind', () => {
    const run = Array.from({ length: 41 }, () => exchange('Bash', { command: 'ls' })).flat();
    expect(kindOf([user('Go on with it.'), ...run])).toBe('one long run');
    expect(
      kindOf([user('Find it.'), ...exchange('web_search', { query: 'x' }), ...exchange('web_fetch', { url: 'y' })]),
    ).toBe('research');
    expect(kindOf([user('Hello there.'), agent('Hello.')])).toBe('chat');
    expect(
      kindOf(['a one', 'b two', 'c three', 'd four', 'e five'].flatMap((text) => [user(text), ...run.slice(0, 4)])),
    ).toBe('many turns');
  });
});

describe('long sessions', () => {
  const counter = createTokenCounter();
  const listing = (at: number): string =>
    `export const value${at} = read('src/area-${at}/file.ts', ${at});\n`.repeat(40);
  const messages = Array.from({ length: 40 }, (_, at) => [
    user(`Please fix number ${at} of the list in the area called area-${at}.`),
    ...exchange('Read', { file_path: `/repo/src/area-${at}/file.ts` }, listing(at)),
    ...exchange('Edit', { file_path: `/repo/src/area-${at}/file.ts`, old_string: 'a', new_string: listing(at) }),
    agent(`Number ${at} is fixed: the bug was that of src/area-0/file.ts and src/area-1/file.ts again.`),
  ]).flat();
  const cuts = cutsWithProbes([{ name: 'a-session', messages }], counter, [0.7]);

  it('are told whole by their original', () => {
    expect(cuts).toHaveLength(1);
    expect(cuts[0]!.probes.files.length).toBeGreaterThan(20);
    expect(brokenProbes(cuts)).toEqual([]);
    expect(brokenProbes([{ ...cuts[0]!, past: cuts[0]!.past.slice(20) }])).not.toEqual([]);
  });

  it('are compressed with wrong models and repeatedly', async () => {
    const rows = await measureWriters(cuts, [0.2], counter);
    expect(rows).toHaveLength(6);
    for (const { cuts: count, files, userLog: log } of rows) {
      expect(count).toBe(1);
      for (const share of [files, log]) expect(share).toBeGreaterThanOrEqual(0);
      expect(files).toBeLessThanOrEqual(1);
    }
    const [repetition] = await measureRepetition(cuts, counter);
    expect(repetition!.lines).toBeGreaterThan(5);
    expect(repetition!.once.facts).toBeGreaterThan(0);
    expect(repetition!.repeated.facts).toBeGreaterThan(0);
  });

  it('have actions whose numbers are compared', () => {
    const handoff =
      '## Goal\n1. Not an action here\n## Completed Actions\n3. Edit src/a.ts - ok\n4. Run the tests - ok\n4. Run the tests - ok';
    expect([...numberedActions(handoff)]).toEqual([['Edit src/a.ts - ok', 3]]);
  });
});

describe('targets', () => {
  it('need no session that changed files', () => {
    const targets = continuationTargets([], []);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.every(({ met }) => !met)).toBe(true);
  });
});
