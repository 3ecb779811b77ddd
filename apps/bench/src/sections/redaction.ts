import { candidates } from '../redaction/candidates.ts';
import { type Case, readCases, type Score, type Scores, score } from '../redaction/score.ts';
import { speed } from '../redaction/speed.ts';
import { adversaries, megabyte, speedTexts } from '../redaction/speed-texts.ts';
import type { BenchOptions, Measured, Section, Table } from '../section.ts';
import { type Spread, withRange } from '../spread.ts';
import { atLeast, atMost, failing, inPercent, inUnit, type Target } from '../target.ts';

type Times = Readonly<Record<string, Spread>>;

/** Measures the redactor's recall, false positives and speed, compared with other npm packages. */
export const redaction: Section = {
  name: 'redaction',
  title: 'Redaction of secrets',
  async measure({ quick, dataFolder }: BenchOptions): Promise<Measured> {
    const cases = readCases(dataFolder);
    const scores = cases ? await scoreAll(cases, quick) : null;
    const times = await timeAll(quick);
    const adversarial = await timeAdversaries(quick);
    const own = times[candidates[0]!.name]!;
    const inTime = inUnit(1, 'ms/MB');
    return {
      report: [
        scores
          ? scoreTable(scores)
          : 'The corpus (`secrets/cases.json.gz` in the data folder) is missing: recall and false positives were not measured.',
        speedTable(times, own),
        `Time for adversarial text, relative to clean code of the same size: ${Object.entries(adversarial)
          .map(([name, ratio]) => `\`${name}\` ${ratio.toFixed(1)}`)
          .join(', ')}.`,
      ],
      figures: {
        scores: scores?.map(([name, { total, byKind }]) => ({ name, total, byKind: Object.fromEntries(byKind) })),
        msPerMb: times,
        adversarial,
      },
      targets: [
        ...(scores ? scoreTargets(scores[0]![1].total) : []),
        atMost('redactor', 'clean logs', 10, own.logs!.median, inTime),
        atMost('redactor', 'clean code', 10, own.code!.median, inTime),
        atMost('redactor', 'dense environment dump', 40, own.dense!.median, inTime),
        // The few short rounds of a quick run cannot distinguish a slow text from a disturbed measurement.
        failing(
          atMost(
            'redactor',
            'worst adversarial text, relative to clean code',
            5,
            Math.max(...Object.values(adversarial)),
            inUnit(1, 'x'),
          ),
          'in full',
        ),
      ],
    };
  },
};

/** Scores every library. A quick run samples the cases for the others, which take most of the time. */
async function scoreAll(cases: readonly Case[], quick: boolean): Promise<[string, Scores][]> {
  const all: [string, Scores][] = [];
  for (const candidate of candidates) {
    const some = quick && candidate !== candidates[0] ? cases.filter((_, at) => at % 8 === 0) : cases;
    all.push([`${candidate.name} (${candidate.version})`, await score(some, candidate)]);
  }
  return all;
}

const share = (part: number, whole: number): string => (whole === 0 ? '-' : inPercent(part / whole));

function scoreTable(scores: readonly [string, Scores][]): Table {
  const both = ({ secrets, masked, harmless, changed }: Score): string =>
    `${share(masked, secrets)} / ${share(changed, harmless)}`;
  return {
    head: [
      'on the public corpus',
      'secrets masked',
      'harmless texts changed',
      'development half: masked / changed',
      'held-out half: masked / changed',
    ],
    rows: scores.map(([name, { total, development, other }]) => [
      name,
      `${total.masked} of ${total.secrets}, ${share(total.masked, total.secrets)}`,
      `${total.changed} of ${total.harmless}, ${share(total.changed, total.harmless)}`,
      both(development),
      both(other),
    ]),
  };
}

const scoreTargets = ({ masked, secrets, changed, harmless }: Score): Target[] => [
  failing(atLeast('redactor', 'secrets masked', 0.99, masked / secrets, inPercent)),
  failing(atMost('redactor', 'harmless texts changed', 0.01, changed / harmless, inPercent)),
];

/** Times every library on each kind of text, the others on shorter samples. */
async function timeAll(quick: boolean): Promise<Record<string, Times>> {
  const texts = speedTexts(quick ? megabyte / 4 : megabyte);
  const samples = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.slice(0, megabyte / (quick ? 64 : 8))]),
  );
  const times: Record<string, Times> = { [candidates[0]!.name]: await speed(texts, quick ? 5 : 9, 6) };
  for (const candidate of candidates.slice(1))
    times[candidate.name] = await speed(samples, quick ? 1 : 3, 1, candidate);
  return times;
}

function speedTable(times: Readonly<Record<string, Times>>, own: Times): Table {
  return {
    head: ['processor time, ms per MB: median (min to max)', 'clean logs', 'clean code', 'dense environment dump'],
    rows: Object.entries(times).map(([name, time]) => [
      name,
      ...['logs', 'code', 'dense'].map((kind) => {
        const { median } = time[kind]!;
        return time === own
          ? withRange(own[kind]!, 1)
          : `${median.toFixed(1)}, ${(median / own[kind]!.median).toFixed(1)} x ours`;
      }),
    ]),
  };
}

/** Time of each adversarial text, relative to clean code of the same size. */
async function timeAdversaries(quick: boolean): Promise<Readonly<Record<string, number>>> {
  const size = quick ? megabyte / 4 : megabyte;
  const clean = speedTexts(size).code;
  const hostile = Object.entries(adversaries).map(([name, unit]) => [
    name,
    unit.repeat(Math.ceil(size / unit.length)).slice(0, size),
  ]);
  const { clean: usual, ...times } = await speed({ clean, ...Object.fromEntries(hostile) }, quick ? 3 : 5, 2);
  return Object.fromEntries(Object.entries(times).map(([name, { median }]) => [name, median / usual!.median]));
}
