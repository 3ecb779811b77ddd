import { type Body, wireNamed } from '@palimpsest/formats/wire';
import { expect, it } from 'vitest';
import { RememberedRounds } from '../../src/conversation/remembered-rounds.ts';

const wire = wireNamed('openai-chat');
const rounds = 20;

/** A history whose first message counts how often it is read, and the rounds of its replies. */
function historyOf(noteRead: () => void): Body[] {
  const first = {
    role: 'user',
    get content() {
      noteRead();
      return 'Search the whole history for it.';
    },
  };
  const replies = Array.from({ length: rounds }, (_, at) => [
    { role: 'assistant', content: `Found number ${at}.` },
    { role: 'user', content: `Search for number ${at + 1}, please.` },
  ]);
  return [first, ...replies.flat()];
}

it('restored rounds read the history once, not once each', () => {
  let reads = 0;
  const list = historyOf(() => reads++);
  const before = new RememberedRounds((text) => text, true);
  for (let place = 0; place < rounds; place++) {
    const at = 1 + 2 * place;
    const reply = list[at]!;
    const call = { id: `c${place}`, type: 'function', function: { name: 'recall', arguments: '{}' } };
    before.add(
      {
        format: wire.name,
        key: wire.answers.keyOf([reply]),
        place,
        items: [
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: call.id, content: `Found: ${list[at - 1]!.content as string}` },
          reply,
        ],
        results: [],
      },
      list.slice(0, at),
    );
  }
  const restored = new RememberedRounds((text) => text, true);
  restored.restore(before.toStored());
  reads = 0;
  expect(restored.apply(wire, list).length).toBe(list.length + 2 * rounds);
  expect(reads).toBeLessThan(5);
});
