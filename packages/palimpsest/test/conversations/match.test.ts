import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentKey } from '../../src/conversations/agent-key.ts';
import { chainOf, commonLength } from '../../src/conversations/history-chain.ts';
import { matchConversation } from '../../src/conversations/match.ts';
import { readConversation } from '../../src/conversations/read-conversation.ts';

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system'),
  content: fc.constantFrom('a', 'b', 'c'),
});
const history = fc.array(message, { maxLength: 12 });
const known = (items: readonly unknown[], key = 'k', scope = 's') => ({ scope, key, chain: chainOf(items) });
const said = (...texts: string[]) =>
  texts.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));

describe('the chain of a history', () => {
  it('has as much in common with another as their messages have, system prompts left out', () => {
    fc.assert(
      fc.property(history, history, history, (beginning, one, other) => {
        const [first, second] = [
          [...beginning, ...one],
          [...beginning, ...other],
        ].map((items) => items.filter(({ role }) => role !== 'system').map((item) => JSON.stringify(item))) as [
          string[],
          string[],
        ];
        const differs = first.findIndex((text, at) => text !== second[at]);
        const expected = differs < 0 ? Math.min(first.length, second.length) : differs;
        expect(commonLength(chainOf([...beginning, ...one]), chainOf([...beginning, ...other]))).toBe(expected);
      }),
    );
  });

  it('is the same with and without a cache mark', () => {
    const marked = [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }];
    expect(chainOf([{ role: 'user', content: marked }])).toEqual(chainOf([{ role: 'user', content: 'Hello' }]));
  });
});

describe('a request', () => {
  it('continues the conversation whose beginning it has, also when a reminder at the end has changed', () => {
    const conversation = known(said('task', 'step', 'result with a reminder'));
    expect(matchConversation(known(said('task', 'step', 'result', 'step', 'next')), [conversation])).toEqual({
      kind: 'continues',
      conversation,
    });
  });

  it('of another session never continues it, and inherits from it', () => {
    const conversation = known(said('task', 'step', 'result'));
    const match = matchConversation(known(said('task', 'step', 'result', 'step', 'next'), 'other'), [conversation]);
    expect(match).toEqual({ kind: 'branches', from: conversation });
  });

  it('that goes back, or differs early, becomes a conversation of its own', () => {
    const conversation = known(said('task', 'a', 'b', 'c', 'd', 'e', 'f'));
    for (const texts of [['task'], ['task', 'a', 'other'], ['task', 'a', 'b', 'x', 'y', 'z', 'f', 'g']])
      expect(matchConversation(known(said(...texts)), [conversation])).toEqual({
        kind: 'branches',
        from: conversation,
      });
  });

  it('with another task or format is new', () => {
    const conversation = known(said('task', 'a', 'b'));
    expect(matchConversation(known(said('title', 'a', 'b')), [conversation]).kind).toBe('new');
    expect(matchConversation(known(said('task', 'a', 'b'), 'k', 'other'), [conversation]).kind).toBe('new');
  });

  it('continues the nearest of several', () => {
    const [one, two] = [known(said('task', 'a', 'b')), known(said('task', 'a', 'c', 'd', 'e'))];
    const match = matchConversation(known(said('task', 'a', 'c', 'd', 'e', 'f')), [one, two]);
    expect(match).toEqual({ kind: 'continues', conversation: two });
  });
});

const keyOf = (headers: object, body: object): string => {
  const bytes = Buffer.from(JSON.stringify({ messages: [], ...body }));
  return agentKey({ ...headers }, readConversation(new URL('http://p/v1/messages'), bytes)!.identity);
};

describe('what an agent says about its session', () => {
  it('is its id, and nothing that changes with each request', () => {
    const key = (metadata: object, headers = {}) => keyOf(headers, { metadata });
    expect(key({ user_id: 'a', request_id: 1 })).toBe(key({ user_id: 'a', request_id: 2 }));
    expect(key({ user_id: 'a' })).not.toBe(key({ user_id: 'b' }));
    expect(key({}, { session_id: 'a' })).not.toBe(key({}, { session_id: 'b' }));
    expect(keyOf({}, { prompt_cache_key: 'a' })).not.toBe(keyOf({}, { prompt_cache_key: 'b' }));
    expect(keyOf({ 'x-client-request-id': '1' }, { metadata: null })).toBe(keyOf({}, {}));
  });
});
