import type { Message, Part } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, turns } from './make-session.ts';
import { memoryStore } from './persistence/memory-store.ts';

const depth = 100_000;
const brackets = '['.repeat(depth) + ']'.repeat(depth);
const lines = Array.from({ length: 145_000 }, (_, at) => `line ${at}`).join('\n');
function nestedPart(): Part {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level++) value = [value];
  return { type: 'json', value } as Part;
}
const calling = (input: string, content: Message['content']): Message[] => [
  {
    ...assistant(null, call('x', 'write_file', {})),
    tool_calls: [{ id: 'x', type: 'function', function: { name: 'write_file', arguments: input } }],
  },
  { ...result('x', ''), content },
];

describe('a session compacts, stores and restores its state with any transcript:', () => {
  it.each<[string, () => Message[]]>([
    ['a tool result of eight thousand brackets', () => calling('{}', '['.repeat(4_000) + ']'.repeat(4_000))],
    ['a tool result that nests', () => calling('{}', brackets)],
    ['arguments that nest', () => calling(`{"value":${brackets}}`, 'done')],
    ['arguments of many lines', () => calling(JSON.stringify({ content: lines }), 'done')],
    ['a part that nests', () => [{ role: 'user', content: [nestedPart(), { type: 'text', text: 'Look.' } as Part] }]],
    [
      'many parts',
      () => [{ role: 'user', content: lines.split('\n').map((text) => ({ type: 'text', text }) as Part) }],
    ],
  ])(
    '%s',
    async (_what, messages) => {
      const store = memoryStore();
      const conversation = [
        user('Go.'),
        assistant('Yes.'),
        ...messages(),
        assistant('Done.'),
        ...turns(30),
        user('Next.'),
      ];
      const { session, events } = makeSession({ store });
      const request = await session.beforeRequest(conversation);
      expect(request.info.compactions).not.toEqual([]);
      const bad = ['compaction-failed', 'engine-replaced', 'request-passed-through', 'store-failed', 'state-discarded'];
      expect(events.filter(({ type }) => bad.includes(type))).toEqual([]);

      const again = makeSession({ store });
      const second = await again.session.beforeRequest(conversation);
      expect(again.events.filter(({ type }) => bad.includes(type))).toEqual([]);
      expect(second.info.tokens).toBeLessThan(8_000);
    },
    180_000,
  );
});

describe('a tool result without content', () => {
  it.each<[string, Message['content']]>([
    ['null', null],
    ['missing', undefined],
  ])('is sent as an empty text, since providers refuse it: %s', async (_, content) => {
    const { session, events } = makeSession();
    const given = [user('Go.'), ...calling('{}', content), user('Next.')];
    const { messages } = await session.beforeRequest(given);
    expect((messages as readonly Message[])[2]!.content).toBe('');
    expect(given[2]!.content).toBe(content);
    expect(events.find(({ type }) => type === 'input-repaired')).toMatchObject({ repairs: { 'blank-filled': 1 } });
  });
});
