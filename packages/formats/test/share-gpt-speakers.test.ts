import { expect, it } from 'vitest';
import { shareGpt } from '../src/index.ts';

it.each(['gpt', 'assistant', 'chatgpt', 'model', 'bing', 'bard', 'bot'])(
  'a turn from "%s" is of the assistant',
  (from) => {
    const row = {
      conversations: [
        { from: 'human', value: 'Hello.' },
        { from, value: 'Hi.' },
      ],
    };
    expect(shareGpt.decode(row).messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  },
);
