import { type Candidate, candidates } from '../redaction/candidates.ts';
import { type Case, isDevelopment, readCases, type Score, score } from '../redaction/score.ts';
import { megabyte, speedTexts } from '../redaction/speed-texts.ts';
import type { BenchOptions, Measured, Section, Table } from '../section.ts';
import { type Spread, spreadOf, withRange } from '../spread.ts';
import { atLeast, atMost, failing, inPercent, inUnit, type Target } from '../target.ts';
import { calmest, type Round, timeRound } from '../time-round.ts';

type Times = Readonly<Record<string, Spread>>;
const [ours, ...others] = candidates as [Candidate, ...Candidate[]];

/** Measures the redactor's recall, false positives and speed, compared with other npm packages. */
export const redaction: Section = {
  name: 'redaction',
  title: 'Redaction of secrets',
  async measure({ quick, dataFolder }: BenchOptions): Promise<Measured> {
    const cases = readCases(dataFolder);
    const scores = cases && (await scoreAll(cases, quick));
    const size = quick ? megabyte / 4 : megabyte;
    const texts = speedTexts(size);
    const own = await timesOf(ours, texts, quick ? 5 : 9, 6);
    const times = new Map([[ours, own]]);
    const short = Object.entries(texts).map(([name, text]) => [name, text.slice(0, megabyte / (quick ? 64 : 8))]);
    for (const other of others)
      times.set(other, await timesOf(other, Object.fromEntries(short) as typeof texts, quick ? 1 : 3, 1));
    const inTime = inUnit(1, 'ms/MB');
    return {
      report: [
        scores
          ? scoreTable(scores)
          : 'The corpus (`secrets/cases.json.gz` in the data folder) is missing: recall and false positives were not measured.',
        speedTable(times, own),
      ],
      figures: { scores, msPerMb: [...times].map(([{ name }, one]) => [name, one]) },
      targets: [
        ...(scores ? scoreTargets(scores[0]!.total) : []),
        atMost('redactor', 'clean logs', 10, own.logs!.median, inTime),
        atMost('redactor', 'clean code', 10, own.code!.median, inTime),
        atMost('redactor', 'dense environment dump', 40, own.dense!.median, inTime),
        // The few short rounds of a quick run cannot distinguish a slow text from a disturbed measurement.
      ],
    };
  },
};

interface Scores {
  readonly name: string;
  readonly development: Score;
  readonly heldOut: Score;
  readonly total: Score;
}

/** Scores every library. A quick run samples the cases for the others, which take most of the time. */
async function scoreAll(cases: readonly Case[], quick: boolean): Promise<Scores[]> {
  const all: Scores[] = [];
  for (const candidate of candidates) {
    const some = quick && candidate !== ours ? cases.filter((_, at) => at % 8 === 0) : cases;
    const development = await score(some.filter(isDevelopment), candidate);
    const heldOut = await score(
      some.filter((one) => !isDevelopment(one)),
      candidate,
    );
    const total = {
      secrets: development.secrets + heldOut.secrets,
      masked: development.masked + heldOut.masked,
      harmless: development.harmless + heldOut.harmless,
      changed: development.changed + heldOut.changed,
    };
    all.push({ name: `${candidate.name} (${candidate.version})`, development, heldOut, total });
  }
  return all;
}

const share = (part: number, whole: number): string => (whole === 0 ? '-' : inPercent(part / whole));

function scoreTable(scores: readonly Scores[]): Table {
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
    rows: scores.map(({ name, total, development, heldOut }) => [
      name,
      `${total.masked} of ${total.secrets}, ${share(total.masked, total.secrets)}`,
      `${total.changed} of ${total.harmless}, ${share(total.changed, total.harmless)}`,
      both(development),
      both(heldOut),
    ]),
  };
}

const scoreTargets = ({ masked, secrets, changed, harmless }: Score): Target[] => [
  failing(atLeast('redactor', 'secrets masked', 0.99, masked / secrets, inPercent)),
  failing(atMost('redactor', 'harmless texts changed', 0.01, changed / harmless, inPercent)),
];

/** Measures milliseconds of processor time per MB of each text, in interleaved rounds. */
async function timesOf(
  { redact }: Candidate,
  texts: Readonly<Record<string, string>>,
  rounds: number,
  warmUp: number,
): Promise<Times> {
  const timed = Object.entries(texts).map(([name, text]) => ({ name, text, rounds: [] as Round[] }));
  for (let round = -warmUp; round < rounds; round++)
    for (const one of timed) {
      const time = await timeRound(() => redact(one.text));
      if (round >= 0) one.rounds.push(time);
    }
  const perMegabyte = (rounds: readonly Round[], text: string): Spread =>
    spreadOf(calmest(rounds).map((milliseconds) => (milliseconds * megabyte) / text.length));
  return Object.fromEntries(timed.map(({ name, text, rounds }) => [name, perMegabyte(rounds, text)]));
}

function speedTable(times: ReadonlyMap<Candidate, Times>, own: Times): Table {
  return {
    head: ['processor time, ms per MB: median (min to max)', 'clean logs', 'clean code', 'dense environment dump'],
    rows: [...times].map(([{ name }, time]) => [
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
