import type { Message } from '@palimpsest/core';
import { assistant, call, result } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { filler, makeSession, turn, turns } from '../make-session.ts';

describe('the record of a compaction', () => {
  it('tells what the agent did since, and an event does when the next one takes effect', async () => {
    const { session, events } = makeSession({ recall: true });
    const messages: Message[] = turns(20);
    await session.beforeRequest(messages);
    expect(session.records()).toMatchObject([{ historyMessages: 80 }]);
    expect(session.records()[0]!.aftermath).toBeUndefined();
    const step = (name: string, tool: string, input: object): void => {
      messages.push(assistant(null, call(name, tool, input as never)), result(name, 'ok'));
    };
    step('again', 'read_file', { path: 'src/file-3.ts' });
    step('new', 'read_file', { path: 'src/other.ts' });
    step('search', 'recall', { query: 'file 4' });
    step('edit', 'edit_file', { path: 'src/other.ts', old_string: 'a', new_string: 'b' });
    await session.beforeRequest(messages);
    const aftermath = { requests: 4, repeatedCalls: 1, recallCalls: 1, requestsToEdit: 4 };
    expect(session.records()[0]).toMatchObject({ aftermath });
    messages.push(assistant(null, call('big', 'read_file', { path: 'big.ts' })), result('big', filler(3_500, 'big')));
    for (let at = 30; at < 40; at++) messages.push(...turn(at));
    await session.beforeRequest(messages);
    const [event] = events.filter(({ type }) => type === 'compaction-aftermath');
    expect(event).toMatchObject({ checkpoint: 1, repeatedCalls: 1, recallCalls: 1, requestsToEdit: 4 });
  });
});
