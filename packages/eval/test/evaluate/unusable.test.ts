import { createTokenCounter } from '@palimpsest/tokens';
import { describe, expect, it } from 'vitest';
import { noneUsable, whyUnusable } from '../../src/evaluate/evaluate.ts';

const reason = (tokens: number): string =>
  whyUnusable(
    { name: 'a', messages: [{ role: 'user', content: 'x' }] },
    { ...createTokenCounter(), countMessage: () => tokens },
  );
const [short, long, unneeded] = [10, 500_000, 50_000].map((tokens) => ({ reason: reason(tokens) }));

describe('transcripts that cannot be used', () => {
  it.each([
    [[], 'There are no transcripts. Pass recorded conversations.'],
    [[short!], 'The transcript cannot be used: it has fewer than 20,000 tokens. Pass longer conversations.'],
    [
      [long!, long!],
      'None of the 2 transcripts can be used: 2 have more than 400,000 tokens. Pass shorter conversations, or a part of one.',
    ],
    [
      [unneeded!, short!],
      'None of the 2 transcripts can be used: 1 has fewer than 20,000 tokens, 1 has no later use of anything from before a cut. ' +
        'Pass longer conversations. Pass conversations whose second half uses names, values or text of the first one again.',
    ],
  ])('are reported with a reason and advice for each', (skipped, message) => {
    expect(noneUsable(skipped)).toBe(message);
  });
});
