import { expect, it } from 'vitest';
import { checkCompressOptions } from '../src/engine/compress-options.ts';

it.each([
  [{ currentTokens: Number.NaN }, /currentTokens: expected a number of 0 or more; given: NaN/],
  [{ targetTokens: -1 }, /targetTokens/],
  [{ keepLastTurns: 1.5 }, /keepLastTurns: expected a whole number of 0 or more; given: 1.5/],
  [{ effort: 'some' }, /effort: expected 'free' or 'full'; given: "some"/],
  [{ targetToken: 5 }, /targetToken: unknown option. Did you mean "targetTokens"/],
])('rejects invalid options of compress: %j', (options, message) => {
  expect(() => checkCompressOptions(options as never)).toThrow(message);
});

it('accepts options that are left out, and a signal', () => {
  const { signal } = new AbortController();
  expect(() => checkCompressOptions({ targetTokens: undefined, signal, force: true, keepLastTurns: 2 })).not.toThrow();
});
