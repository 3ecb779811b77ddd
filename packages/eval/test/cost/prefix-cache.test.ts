import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { expect, test } from 'vitest';
import { PrefixCache } from '../../src/cost/prefix-cache.ts';

const counter = createTokenCounter();

test('the cache reads the prefix that two prompts share, until it expires', () => {
  const message = (text: string): Message => ({ role: 'user', content: text.repeat(2_000) });
  const cache = new PrefixCache((one) => counter.countMessage(one));
  const [first, second] = [message('one '), message('two ')];
  cache.write([first, second], 0);
  // A copy has the same bytes.
  expect(cache.read([{ ...first }, message('three ')], 300_000)).toBe(counter.countMessage(first));
  expect(cache.read([first, second], 300_001)).toBe(0);
});
