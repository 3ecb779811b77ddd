import type { CompactorResult, MeasureName } from '@palimpsest/eval';

/** A budget that limits nothing: each method chooses its size. `evaluate` takes shares below 1. */
export const unlimited = 0.999;

export const sizeName = (budget: number): string => (budget === unlimited ? 'defaults' : `${budget * 100} %`);
export const scoreOf = (result: CompactorResult | undefined, name: MeasureName): number =>
  result?.scores[name]?.value ?? Number.NaN;
export const find = (results: readonly CompactorResult[], way: string, budget: number): CompactorResult | undefined =>
  results.find((one) => one.compactor === way && one.budget === budget);
