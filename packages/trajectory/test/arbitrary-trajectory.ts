import fc from 'fast-check';
import type { Turn } from './expectations.ts';

const words = fc.array(
  fc.constantFrom(
    'read',
    'src/a.ts',
    'error:',
    'fixed',
    'the',
    'cache',
    'is',
    'stale',
    '42',
    '\n',
    'naïve',
    '漢字',
    '😀',
  ),
  {
    minLength: 0,
    maxLength: 60,
    size: 'max',
  },
);

/** A turn's text: mostly short, sometimes much longer than the others. */
const text = fc
  .tuple(words, fc.constantFrom(1, 1, 1, 2, 8))
  .map(([parts, times]) => `${parts.join(' ')}\n`.repeat(times));

const turn = (from: string): fc.Arbitrary<Turn> => text.map((value) => ({ from, value }));

/** A gpt turn and the results of its tools. */
const exchange = fc
  .tuple(turn('gpt'), fc.array(turn('tool'), { minLength: 0, maxLength: 3 }))
  .map(([call, answers]) => [call, ...answers]);

/** Valid and unusual trajectories: several human turns in a row, tool turns without a call, no system turn. */
export const arbitraryTrajectory: fc.Arbitrary<Turn[]> = fc
  .tuple(
    fc.option(turn('system')),
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: exchange },
        { weight: 2, arbitrary: turn('human').map((one) => [one]) },
        { weight: 1, arbitrary: turn('tool').map((one) => [one]) },
      ),
      { minLength: 1, maxLength: 24, size: 'max' },
    ),
  )
  .map(([system, parts]) => [...(system ? [system] : []), ...parts.flat()]);
