import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { type Measures, sharesOf, type ToldPoint } from './measure-told.ts';
import type { RepetitionRow } from './repeated.ts';
import { sessionKinds } from './session-kind.ts';
import type { Size } from './ways.ts';
import type { WriterRow } from './writers.ts';

const area = 'continuation';
const wanted: readonly (readonly [keyof Measures, string, Size, number])[] = [
  ['files', 'files changed', null, 0.98],
  ['files', 'files changed', 0.1, 0.9],
  ['userLog', 'user log', null, 0.97],
  ['userLog', 'user log', 0.1, 0.9],
  ['verdicts', 'last verdicts', null, 0.9],
  ['verdicts', 'last verdicts', 0.1, 0.7],
  ['conclusions', 'conclusions', null, 0.8],
  ['conclusions', 'conclusions', 0.1, 0.45],
  ['facts', 'facts', 0.1, 0.52],
  ['facts', 'facts', 0.2, 0.68],
  ['facts', 'facts', 0.35, 0.82],
  ['facts', 'facts', 0.5, 0.9],
  ['verbatim', 'verbatim', 0.1, 0.54],
  ['verbatim', 'verbatim', 0.2, 0.7],
  ['verbatim', 'verbatim', 0.35, 0.82],
  ['verbatim', 'verbatim', 0.5, 0.9],
];
/** No kind of session may be below this share of the value over all sessions. */
const leastOfMean = 0.9;

/** Returns the compressor's targets. @param points of the reported half @param all of both halves, for the kinds of sessions */
export function continuationTargets(points: readonly ToldPoint[], all: readonly ToldPoint[]): Target[] {
  const ours = (some: readonly ToldPoint[], size: Size): ToldPoint[] =>
    some.filter((point) => point.way === 'compressor' && point.size === size);
  const targets = wanted.map(([measure, name, size, least]) =>
    atLeast(
      area,
      `${name}, ${size === null ? 'defaults' : `at ${size * 100} %`}`,
      least,
      sharesOf(ours(points, size))[measure],
      inPercent,
    ),
  );
  for (const [measure, name] of [
    ['files', 'files changed'],
    ['userLog', 'user log'],
  ] as const)
    for (const size of [null, 0.1]) {
      const own = ours(all, size);
      const mean = sharesOf(own)[measure];
      const kinds = Object.keys(sessionKinds)
        .map((kind) => ({ kind, value: sharesOf(own.filter(({ cut }) => cut.kind === kind))[measure] }))
        .filter(({ value }) => !Number.isNaN(value));
      if (kinds.length === 0) continue;
      const lowest = kinds.reduce((a, b) => (b.value < a.value ? b : a));
      targets.push(
        atLeast(
          area,
          `${name}, ${size === null ? 'defaults' : `at ${size * 100} %`}, lowest kind of session (${lowest.kind}), at least ${leastOfMean} x all sessions`,
          mean * leastOfMean,
          lowest.value,
          inPercent,
        ),
      );
    }
  return targets;
}

/** Most facts that compactions in a row may lose, in percentage points against a single one. */
const mostFactsLost = 1;

/** Returns the compressor's targets for models that write wrong summaries, and for compactions in a row. */
export function robustnessTargets(writers: readonly WriterRow[], repetitions: readonly RepetitionRow[]): Target[] {
  const targets: Target[] = [];
  for (const { engine, writer, size, files, userLog, invented } of writers) {
    if (engine !== 'compressor' || size !== null) continue;
    targets.push(
      atLeast(area, `files changed, defaults, a model that ${writer}`, 0.98, files, inPercent),
      atLeast(area, `user log, defaults, a model that ${writer}`, 0.97, userLog, inPercent),
    );
    if (writer === 'invents files')
      targets.push(atMost(area, `invented files named as changed, a model that ${writer}`, 0, invented, inPercent));
  }
  for (const { engine, repeated, once } of repetitions)
    if (engine === 'compressor')
      targets.push(
        atMost(
          area,
          'facts lost by ten compactions instead of one',
          mostFactsLost,
          (once.facts - repeated.facts) * 100,
          inUnit(1, 'points'),
        ),
      );
  return targets;
}
