import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import {
  type Compact,
  type Cut,
  countSaidInHandoffs,
  type Probe,
  type Probes,
  probeNames,
  recallOf,
  type Told,
  toldOf,
  withinBudget,
} from '@palimpsest/eval/measures';
import { mean, sum } from '../spread.ts';
import { compressWith, ownEngines, type Size } from './ways.ts';

/** What an output still tells: how many of the probes, and its recall of facts and verbatim stretches, 0 to 1. */
export interface Measured {
  readonly told: Told;
  readonly facts: number;
  readonly verbatim: number;
  /** Number of files that were only read and that a handoff names as changed. */
  readonly wronglyChanged: number;
}

/** Shares from 0 to 1: the probes, and the two measures of fidelity. `NaN` where there was nothing to tell. */
export type Measures = Readonly<Record<Probe | 'facts' | 'verbatim', number>>;
export const measureNames = [...probeNames, 'facts', 'verbatim'] as const;

/** The measures of one method on one cut at one size. */
export interface ToldPoint {
  readonly way: string;
  readonly size: Size;
  readonly cut: CutWithProbes;
  /** Tokens of the output, as a share of the past. */
  readonly used: number;
  readonly measured: Measured;
}

/** A cut, and what its handoff must tell. */
export interface CutWithProbes extends Cut {
  readonly kind: string;
  readonly probes: Probes;
}

/**
 * Measures our engines and other methods on a cut, at each size. Other methods need a budget: instead of a default
 * they get the tokens that the compressor uses by default. An output over its budget loses its oldest messages.
 */
export async function measureTold(
  cut: CutWithProbes,
  sizes: readonly Size[],
  others: Readonly<Record<string, Compact>>,
  counter: TokenCounter,
): Promise<ToldPoint[]> {
  const points: ToldPoint[] = [];
  for (const size of sizes) {
    if (size !== null && cut.mustTokens > cut.tokens * size) continue;
    let budget = cut.tokens * (size ?? 1);
    for (const [way, open] of Object.entries(ownEngines)) {
      const output = await compressWith(open, cut.past, size, counter);
      const tokens = tokensOf(output, counter);
      if (size === null && way === 'compressor') budget = tokens;
      const fair = size === null ? output : withinBudget(output, budget, counter).fair;
      points.push({ way, size, cut, used: tokens / cut.tokens, measured: measure(cut, fair) });
    }
    for (const [way, keep] of Object.entries(others)) {
      const output = await keep(cut.past, Math.floor(budget), counter);
      const { tokens, fair } = withinBudget(output, budget, counter);
      points.push({ way, size, cut, used: tokens / cut.tokens, measured: measure(cut, fair) });
    }
  }
  return points;
}

export function measure({ probes, needs }: CutWithProbes, output: readonly Message[]): Measured {
  const { facts, verbatim } = recallOf(needs, output);
  return {
    told: toldOf(probes, output),
    facts: facts.recall,
    verbatim: verbatim.recall,
    wronglyChanged: countSaidInHandoffs(probes.onlyRead, output),
  };
}

export const tokensOf = (messages: readonly Message[], counter: TokenCounter): number =>
  Transcript.of(messages, counter).totalTokens;

/** Returns the share of all probes of these points that are told, and the means of facts and verbatim, as in the fidelity section. */
export function sharesOf(points: readonly Pick<ToldPoint, 'cut' | 'measured'>[]): Measures {
  const share = (name: Probe): number =>
    sum(points.map(({ measured }) => measured.told[name])) / sum(points.map(({ cut }) => cut.probes[name].length));
  return {
    files: share('files'),
    userLog: share('userLog'),
    verdicts: share('verdicts'),
    conclusions: share('conclusions'),
    todos: share('todos'),
    commands: share('commands'),
    facts: meanOf(points.map(({ measured }) => measured.facts)),
    verbatim: meanOf(points.map(({ measured }) => measured.verbatim)),
  };
}

export function meanOf(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  return mean(known);
}
