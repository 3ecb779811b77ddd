import { type BenchOptions, count, type Measured, type Section } from '../section.ts';
import { subjects, timeInFreshProcess } from '../speed/time-subject.ts';
import { median, type Spread, spreadOf, withRange } from '../spread.ts';
import { atMost, inUnit, type Target } from '../target.ts';
import { calmest } from '../timed-round.ts';

/** Processor milliseconds of one pass at one transcript length. */
interface Row {
  readonly subject: string;
  readonly messages: number;
  readonly tokens: number;
  readonly megabytes: number;
  readonly freshMs: number;
  readonly cold: Spread;
  readonly warm: Spread;
  /** Cold time in units of one pass of `JSON.stringify` over the same messages: comparable between machines. */
  readonly coldPasses: number;
}

/** Most milliseconds for 4,000 messages. */
const limits: Readonly<Record<string, { readonly cold: number; readonly warm: number }>> = {
  compressor: { cold: 120, warm: 40 },
  'prune-compact': { cold: 120, warm: 40 },
  pruner: { cold: 40, warm: 10 },
};
/** Most that four times the messages may cost the pruner, as a factor: linear growth plus room for noise. */
const growthLimit = 4.5;
/** Most milliseconds per megabyte of the extractive writer. */
const mostPerMegabyte = 150;

/** Measures the time of one pass without a model, and its growth with the length of the transcript. */
export const speed: Section = {
  name: 'speed',
  title: 'Speed: engines, pruner, extractive writer',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const rows: Row[] = [];
    const broken: string[] = [];
    for (const subject of Object.keys(subjects))
      for (const size of quick ? [500, 2_000] : [4_000, 16_000])
        rows.push(await measureRow(subject, size, quick ? 2 : 10, broken));
    const growth = Object.keys(subjects).map((subject) => {
      const [small, large] = rows.filter((row) => row.subject === subject) as [Row, Row];
      const factor = (time: 'cold' | 'warm'): number => large[time].median / small[time].median;
      return { subject, cold: factor('cold'), warm: factor('warm') };
    });
    return {
      report: [
        'One pass over counted messages: a `compress()` with an instant summarizer, a plan of the pruner at its default policy, a text of the extractive writer. Processor time: median of the calm rounds (minimum to maximum).',
        'Fresh: the first pass in a new process. Cold: new messages in a process that has made passes before, like an agent that has run for a while. The messages are newly parsed, so nothing about them is cached, and moved to the old generation, so the garbage collector does not copy them during the measurement. Warm: another pass over the same messages.',
        {
          head: ['', 'messages', 'tokens', 'cold, in passes of `JSON.stringify`', 'fresh, ms', 'cold, ms', 'warm, ms'],
          rows: rows.map(({ subject, messages, tokens, freshMs, cold, warm, coldPasses }) => [
            subject,
            count(messages),
            count(tokens),
            coldPasses.toFixed(1),
            freshMs.toFixed(0),
            withRange(cold, 1),
            withRange(warm, 1),
          ]),
        },
        `Four times the messages take, cold and warm: ${growth.map((one) => `${one.subject} ${one.cold.toFixed(1)} x, ${one.warm.toFixed(1)} x`).join('; ')} (4 is linear).`,
      ],
      figures: { rows, growth },
      broken,
      targets: [
        ...rows.flatMap(targetsOf),
        ...growth
          .filter(({ subject }) => subject === 'pruner')
          .flatMap(({ cold, warm }) => [
            atMost('pruner', 'four times the messages, cold', growthLimit, cold, inUnit(1, 'x')),
            atMost('pruner', 'four times the messages, warm', growthLimit, warm, inUnit(1, 'x')),
          ]),
      ],
    };
  },
};

async function measureRow(subject: string, size: number, rounds: number, broken: string[]): Promise<Row> {
  const times = await timeInFreshProcess({ subject, size, rounds });
  broken.push(...times.broken.map((outcome) => `${subject} on ${size} messages: ${outcome}`));
  const [cold, warm] = [spreadOf(calmest(times.cold)), spreadOf(calmest(times.warm))];
  return {
    subject,
    messages: size,
    tokens: times.tokens,
    megabytes: times.bytes / 1e6,
    freshMs: times.fresh.milliseconds,
    cold,
    warm,
    coldPasses: cold.median / median(calmest(times.pass)),
  };
}

function targetsOf({ subject, messages, megabytes, cold, warm }: Row): Target[] {
  const limit = limits[subject];
  if (messages !== 4_000) return [];
  if (limit === undefined)
    return [atMost(subject, 'time per megabyte', mostPerMegabyte, cold.median / megabytes, inUnit(0, 'ms'))];
  return [
    atMost(subject, '4,000 messages, cold', limit.cold, cold.median, inUnit(1, 'ms')),
    atMost(subject, '4,000 messages, warm', limit.warm, warm.median, inUnit(1, 'ms')),
  ];
}
