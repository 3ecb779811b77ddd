import { isToolResult, type Message, type Provenance } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { openaiResponses, type ResponsesItem, shareGpt } from '../src/index.ts';
import { codecs } from './every-codec.ts';

const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** The exponent of growth between `size` and eight times that size; 1 is linear, 2 is quadratic. */
function exponent(size: number, operations: (size: number) => number): number {
  return Math.log2(operations(size * 8) / operations(size)) / 3;
}

/** Counts reads of fields while `read` runs on the items. */
function readsOf(items: readonly ResponsesItem[], read: (items: readonly ResponsesItem[]) => void): number {
  let reads = 0;
  const counted = items.map(
    (item) =>
      new Proxy(item, {
        get(target, name, receiver) {
          reads++;
          return Reflect.get(target, name, receiver) as unknown;
        },
      }),
  );
  read(counted);
  return reads;
}

describe('Responses items are read a fixed number of times', () => {
  const item = (type: string, fields: object): ResponsesItem => ({ type, ...fields });
  const thought = (at: number): ResponsesItem => item('reasoning', { id: `rs_${at}`, summary: [] });
  const open = item('function_call', { call_id: 'a', name: 'look', arguments: '{}' });
  const rows: readonly (readonly [string, (size: number) => readonly ResponsesItem[]])[] = [
    ['reasoning items', (size) => times(size, thought)],
    ['references to reasoning items', (size) => times(size, (at) => item('item_reference', { id: `rs_${at}` }))],
    ['reasoning items while a call is open', (size) => [open, ...times(size, thought)]],
    [
      'reasoning and compactions by turns',
      (size) => times(size, (at) => (at % 2 ? item('compaction', {}) : thought(at))),
    ],
    ['hosted calls', (size) => times(size, (at) => item('web_search_call', { id: `ws_${at}` }))],
    ['calls that share an id', (size) => times(size, () => ({ ...open }))],
  ];
  it.each(rows)('%s', (_, make) => {
    const decoding = exponent(500, (size) => readsOf(make(size), (input) => openaiResponses.decode({ input })));
    expect(decoding).toBeLessThan(1.1);
    const validating = exponent(500, (size) => readsOf(make(size), (input) => openaiResponses.validate({ input })));
    expect(validating).toBeLessThan(1.1);
  });
});

/** Counts steps of array iterators while `run` runs: the cost of spreading, destructuring and `for of`. */
function stepsOf(run: () => void): number {
  const prototype = Object.getPrototypeOf([][Symbol.iterator]()) as { next: () => unknown };
  const { next } = prototype;
  let steps = 1;
  prototype.next = function counted(this: Iterator<unknown>) {
    steps++;
    return next.call(this);
  };
  try {
    run();
  } finally {
    prototype.next = next;
  }
  return steps;
}

describe('messages are iterated a fixed number of times', () => {
  const call = (id: string): NonNullable<Message['tool_calls']>[number] => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  });
  const made = (calls: readonly string[]): Message => ({
    role: 'assistant',
    content: null,
    tool_calls: calls.map(call),
  });
  const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: 'seen' });
  const rows: readonly (readonly [string, (size: number) => readonly Message[]])[] = [
    [
      'calls of one message that share an id',
      (size) => [made(times(size, () => 'a')), ...times(size, () => result('a'))],
    ],
    ['exchanges that share an id', (size) => times(size, () => [made(['a']), result('a')]).flat()],
    ['unanswered calls', (size) => times(size, () => made(['a']))],
    ['answers without calls', (size) => times(size, () => result('a'))],
  ];
  it.each(rows.flatMap(([name, make]) => codecs.map((codec) => [name, codec.name, make, codec] as const)))(
    '%s, in %s',
    (_, __, make, codec) => {
      const growth = exponent(300, (size) => {
        const messages = make(size);
        return stepsOf(() => {
          const native = codec.fromMessages(messages);
          const decoded = codec.decode(native);
          codec.validate(native);
          codec.encode(decoded, carriedInOne(decoded.messages));
        });
      });
      expect(growth).toBeLessThan(1.1);
    },
  );
});

/** One handoff that carries every message except results. */
function carriedInOne(messages: readonly Message[]): { messages: readonly Message[]; provenance: Provenance } {
  const covers = { from: 0, to: messages.length };
  return {
    messages: [{ role: 'user', content: 'A handoff.' }],
    provenance: {
      output: [{ kind: 'inserted', covers, reasons: [] }] as unknown as Provenance['output'],
      source: messages.map((message) =>
        isToolResult(message) ? { kind: 'summarized', at: 0 } : { kind: 'carried', at: 0 },
      ) as unknown as Provenance['source'],
    },
  };
}

describe('ShareGPT tags', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['empty calls', 'gpt', '<tool_call></tool_call>'],
    ['calls with text between', 'gpt', '<tool_call></tool_call> and '],
    ['thoughts on lines', 'gpt', '<think>\n</think>\n'],
    ['tags that are not closed', 'gpt', '<think>'],
    ['closing tags without opening tags', 'gpt', '</think></tool_call>'],
    ['responses with text between', 'tool', '<tool_response>x</tool_response> and '],
  ];
  it.each(rows)('are read and written in linear time: %s', { timeout: 180_000 }, (_, from, tag) => {
    // Measures time, because operations on strings cannot be counted. In quadratic time the longer text would take minutes.
    const turn = (count: number): void => {
      const row = {
        conversations: [
          { from: 'gpt', value: 'I look.' },
          { from, value: tag.repeat(count) },
        ],
      };
      const { messages } = shareGpt.decode(row);
      shareGpt.fromMessages(messages);
      const decoded = shareGpt.decode(row);
      shareGpt.encode(decoded, { ...carriedInOne(messages), messages: [messages[0]!] });
    };
    turn(60_000);
  });
});
