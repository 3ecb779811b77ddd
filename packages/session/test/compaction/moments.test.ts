import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { type MomentFacts, momentOf } from '../../src/compaction/moment.ts';
import { filler, makeSession } from '../make-session.ts';

const momentAfter = (history: readonly Message[], idleMs: MomentFacts['idleMs'] = 1_000): ReturnType<typeof momentOf> =>
  momentOf({ history, idleMs, cacheMs: 300_000, isRequest: (index) => history[index]!.role === 'user' });

let ids = 0;
function step(name: string, input: object, text: string): Message[] {
  const id = `call_${++ids}`;
  return [assistant(null, call(id, name, input)), result(id, text)];
}
const todo = (status: string): Message[] =>
  step('todo_write', { todos: [{ content: 'Port the parser', status }] }, 'Todos updated.');
const edit: readonly Message[] = step('edit_file', { path: 'src/a.ts', old_string: 'a', new_string: 'b' }, 'Edited.');
const passes: readonly Message[] = step('bash', { command: 'npm test' }, 'Tests  12 passed (12)\nexit code: 0');
const fails: readonly Message[] = step(
  'bash',
  { command: 'npm test' },
  'Tests  1 failed | 11 passed (12)\n[exit code: 1]',
);
const looks: readonly Message[] = step('read_file', { path: 'src/a.ts' }, 'const a = 1;');
const ask = user('Port the project.');

describe('the moment before a request', () => {
  it('is the end of a turn when the user has written again, and none at the first request', () => {
    expect(momentAfter([ask])).toBeNull();
    expect(momentAfter([ask, assistant('Done.'), user('Now the tests.')])).toBe('turn-end');
  });

  it('is a closed todo item only in the step that closes it', () => {
    const closed = [ask, ...todo('in_progress'), ...looks, ...todo('completed')];
    expect(momentAfter(closed)).toBe('todo-closed');
    expect(momentAfter(closed.slice(0, -2))).toBeNull();
    expect(momentAfter([...closed, ...looks])).toBeNull();
  });

  it('is tests that pass after edits, and not without an edit', () => {
    expect(momentAfter([ask, ...edit, ...passes])).toBe('tests-passed');
    expect(momentAfter([ask, ...passes])).toBeNull();
    expect(momentAfter([ask, ...edit, ...passes, ...looks])).toBeNull();
  });

  it('is none while commands fail, until one succeeds', () => {
    expect(momentAfter([ask, ...todo('in_progress'), ...fails, ...looks, ...fails, ...todo('completed')])).toBe(
      'failing',
    );
    expect(momentAfter([ask, ...edit, ...fails, ...fails, ...passes])).toBe('tests-passed');
  });

  it('is a cold cache after a pause, even while commands fail', () => {
    expect(momentAfter([ask, ...fails, ...fails], 300_000)).toBe('cache-cold');
  });
});

describe('a session with moments', () => {
  /** @returns the triggers, each with the prompt size at the compaction as a share of the window */
  async function run(ends: boolean): Promise<[string, number][]> {
    const window = 20_000;
    const { session } = makeSession({ window, moments: true, engineOptions: { threshold: 0.5 } });
    const history: Message[] = [user('Read everything.')];
    for (let round = 0; round < 12 && session.records().length === 0; round++) {
      await session.beforeRequest(history);
      history.push(...step('read_file', { path: `src/${round}.ts` }, filler(1_500, round)));
      if (ends && round % 2 === 1) history.push(assistant('Read two.'), user('Go on.'));
    }
    return session.records().map(({ trigger, tokensBefore }) => [trigger, tokensBefore / window]);
  }

  it('compacts at the end of a turn, and else not before the latest threshold', async () => {
    const [[trigger, size]] = (await run(true)) as [[string, number]];
    expect(trigger).toBe('turn-end');
    expect(size).toBeGreaterThanOrEqual(0.5);
    expect(size).toBeLessThan(0.85);
    const [[later, largest]] = (await run(false)) as [[string, number]];
    expect(later).toBe('threshold');
    expect(largest).toBeGreaterThanOrEqual(0.85);
  });
});
