import { expect, it } from 'vitest';
import { WarmIndexes } from '../../src/recall/warm-indexes.ts';

it('the indexes of the sessions that were searched last stay, and none is dropped while it is used', async () => {
  const dropped: number[] = [];
  const recallOf = (number: number) => ({ update: () => void dropped.push(number) });
  const indexes = new WarmIndexes();
  const first = recallOf(0);
  let finish = (): void => {};
  const slow = indexes.use(first, () => new Promise<void>((resolve) => (finish = resolve)));
  for (let number = 1; number <= 20; number++) await indexes.use(recallOf(number), async () => undefined);
  expect(dropped).toEqual([1, 2, 3, 4]);
  finish();
  await slow;
  expect(dropped).toEqual([1, 2, 3, 4, 5]);
  indexes.drop(first);
  expect(dropped.at(-1)).toBe(0);
});
