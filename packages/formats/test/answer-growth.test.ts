import { describe, expect, it } from 'vitest';
import { countedSteps } from '../../../test/growth/counted-steps.ts';
import { type ReadEvent, type WireFormat, wireNamed } from '../src/wire.ts';

type Events = (count: number) => ReadEvent[];

const json = (fields: object): ReadEvent => ({ data: JSON.stringify(fields), fields: { ...fields } });
const numbered = (count: number, make: (at: number) => object): ReadEvent[] =>
  Array.from({ length: count }, (_, at) => json(make(at)));
const delta = (given: object): object => ({ choices: [{ index: 0, delta: given, finish_reason: null }] });
const searching = { name: 'recall', arguments: '{"query":"a"}' };

const streams: Readonly<Record<string, readonly [WireFormat, Events]>> = {
  'reasoning details of chat completions': [
    'openai-chat',
    (count) => numbered(count, (at) => delta({ reasoning_details: [{ type: 'reasoning.text', text: `step ${at}` }] })),
  ],
  'calls of chat completions': [
    'openai-chat',
    (count) => [
      ...numbered(count, (at) => delta({ tool_calls: [{ index: at, id: `c${at}`, function: searching }] })),
      json({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
    ],
  ],
  'citations of Anthropic': [
    'anthropic',
    (count) => [
      json({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...numbered(count, (at) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'citations_delta', citation: { cited_text: `text ${at}` } },
      })),
    ],
  ],
  'calls of Anthropic': [
    'anthropic',
    (count) =>
      numbered(count, (index) => ({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `c${index}`, name: 'recall', input: {} },
      })),
  ],
  'words and calls of Gemini': [
    'gemini',
    (count) =>
      numbered(count, (at) => ({
        candidates: [
          {
            content: {
              parts: at % 3 ? [{ text: `word ${at} ` }] : [{ functionCall: { name: 'recall', args: { at } } }],
            },
          },
        ],
      })),
  ],
  'calls of Responses': [
    'openai-responses',
    (count) =>
      numbered(count, (at) => ({
        type: 'response.output_item.done',
        output_index: at,
        item: { type: 'function_call', call_id: `c${at}`, ...searching },
      })),
  ],
};

describe('reading a stream takes linear time', () => {
  it.each(Object.entries(streams))('%s', async (_, [format, events]) => {
    const steps: number[] = [];
    for (const count of [500, 2_000]) {
      const given = events(count);
      steps.push(
        await countedSteps(async () => {
          const stream = wireNamed(format).answers.openStream((name) => name === 'recall');
          for (const event of given) stream.read(event);
          stream.answer();
          stream.end();
        }),
      );
    }
    expect(steps[1]! / steps[0]!, steps.join(' -> ')).toBeLessThan(4 ** 1.1);
  });
});
