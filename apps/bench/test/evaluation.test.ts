import type { Message } from '@palimpsest/core';
import { type CompactorResult, evaluate } from '@palimpsest/eval';
import { createTokenCounter } from '@palimpsest/tokens';
import { expect, it } from 'vitest';
import { engines } from '../src/engines/open-engine.ts';
import { atDefaults, withTokensOfCompressor } from '../src/evaluation/at-defaults.ts';
import { evaluationTargets, targetsOf, unlimited } from '../src/evaluation/targets.ts';

let calls = 0;
/** A tool call with its result. */
function exchange(name: string, input: unknown, result: string): Message[] {
  const id = `call_${++calls}`;
  const call = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}
const listing = (at: number): string => `export const value${at} = read('src/area-${at}/file.ts', ${at});\n`.repeat(40);
const messages = Array.from({ length: 40 }, (_, at): Message[] => [
  { role: 'user', content: `Please fix number ${at} of the list in the area called area-${at}.` },
  ...exchange('Read', { file_path: `/repo/src/area-${at}/file.ts` }, listing(at)),
  ...exchange('Edit', { file_path: `/repo/src/area-${at}/file.ts`, old_string: 'a', new_string: listing(at) }, 'Done.'),
  {
    role: 'assistant',
    content: `Number ${at} is fixed: the bug was that of src/area-0/file.ts and src/area-1/file.ts again.`,
  },
]).flat();

it('other methods are scored at the size of the engine', async () => {
  const { results } = await evaluate({
    transcripts: [{ name: 'a-session', messages }],
    compactors: {
      compressor: atDefaults(engines.compressor),
      everything: withTokensOfCompressor((past) => past),
    },
    budgets: [0.999],
    cuts: [0.7],
    chainSteps: 0,
    window: null,
    counter: createTokenCounter(),
  });
  const size = (way: string): number => results.find(({ compactor }) => compactor === way)!.scores.used!.value;
  expect(size('compressor')).toBeLessThan(0.9);
  expect(size('everything')).toBeLessThanOrEqual(size('compressor') * 1.01);
});

it('what was not measured misses its targets', () => {
  const targets = targetsOf([]);
  expect(targets.length).toBeGreaterThan(10);
  expect(targets.every(({ met }) => !met)).toBe(true);
});

it('the engine is compared with the best method that was measured at the same size', () => {
  const result = (compactor: string, budget: number, facts: number) =>
    ({ compactor, budget, scores: { facts: { value: facts } } }) as unknown as CompactorResult;
  const targets = evaluationTargets([
    result('pruner', unlimited, 0.9),
    ...[0.1, 0.2].flatMap((budget) => [
      result('compressor', budget, 0.6),
      result('weak', budget, 0.2),
      result('strong', budget, 0.4),
    ]),
  ]);
  expect(targets.find(({ metric }) => metric.startsWith('facts at 10 %'))).toMatchObject({
    metric: expect.stringContaining('(strong)'),
    required: '>= 48.0 %',
    met: true,
  });
});
