import { type BenchOptions, count, type Measured, type Section } from '../section.ts';
import { subjects, timeInFreshProcess } from '../speed/time-subject.ts';
import { exponentOf, type Spread, spreadOf, withRange } from '../spread.ts';
import { atMost, inUnit, type Target } from '../target.ts';
import { calmest } from '../time-round.ts';

/** Processor milliseconds of one pass at one transcript length. */
interface Row {
  readonly subject: string;
  readonly messages: number;
  readonly tokens: number;
  readonly megabytes: number;
  readonly freshMs: number;
  readonly cold: Spread;
  readonly warm: Spread;
}

/** Most milliseconds for 4,000 messages. */
const limits: Readonly<Record<string, { readonly cold?: number; readonly warm?: number }>> = {
  'counting tokens': { cold: 100 },
  compressor: { cold: 120, warm: 40 },
  'prune-compact': { cold: 120, warm: 40 },
  pruner: { cold: 40, warm: 10 },
  recall: { cold: 300 },
};
/** Most milliseconds per megabyte of the extractive writer. */
const maxPerMegabyte = 150;
/** Highest exponent that counts as linear. */
const maxExponent = 1.1;

/** Measures the time of one pass without a model, and its growth with the length of the transcript. */
export const speed: Section = {
  name: 'speed',
  title: 'Speed: one pass, and its growth with the transcript',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const rows: Row[] = [];
    const broken: string[] = [];
    for (const subject of Object.keys(subjects))
      for (const messages of quick ? [250, 750] : [1_000, 4_000, 16_000]) {
        const rounds = quick ? { warmingUp: 1, rounds: 2 } : { warmingUp: 12, rounds: 10 };
        const { fresh, cold, warm, failed, ...sizes } = await timeInFreshProcess({
          subject,
          size: messages,
          ...rounds,
        });
        const [colds, warms] = [spreadOf(calmest(cold)), spreadOf(calmest(warm))];
        rows.push({ subject, messages, ...sizes, freshMs: fresh.milliseconds, cold: colds, warm: warms });
        if (failed > 0) broken.push(`${subject} on ${messages} messages did not do its work ${failed} times`);
      }
    const growth = Object.keys(subjects).map((subject) => {
      const own = rows.filter((row) => row.subject === subject);
      const exponent = (time: 'cold' | 'warm'): number =>
        exponentOf(own.map((row) => [row.messages, row[time].median]));
      return { subject, cold: exponent('cold'), warm: exponent('warm') };
    });
    return {
      report: [
        'One pass: all tokens of a conversation, redaction of every message, a plan of the pruner at its default policy, a `compress()` with an instant summarizer, a first search that builds the index, a text of the extractive writer. The pruner and the engines get counted messages. Processor time: median of the calm rounds (minimum to maximum).',
        'Fresh: the first pass in a new process. Cold: new messages in a process that has made passes before, like an agent that has run for a while. The messages are newly parsed, so nothing about them is cached, and moved to the old generation, so the garbage collector does not copy them during the measurement. Warm: another pass over the same messages.',
        {
          head: ['', 'messages', 'tokens', 'fresh, ms', 'cold, ms', 'warm, ms'],
          rows: rows.map(({ subject, messages, tokens, freshMs, cold, warm }) => [
            subject,
            ...[messages, tokens].map(count),
            freshMs.toFixed(0),
            ...[cold, warm].map((time) => withRange(time, 1)),
          ]),
        },
        `Exponent of the time by the number of messages, fitted by least squares (1 is linear):`,
        {
          head: ['', 'cold', 'warm'],
          rows: growth.map(({ subject, cold, warm }) => [subject, cold.toFixed(2), warm.toFixed(2)]),
        },
      ],
      figures: { rows, growth },
      broken,
      targets: [
        ...rows.filter(({ messages }) => messages === 4_000).flatMap(limitsOf),
        ...growth.map(({ subject, cold }) =>
          atMost('growth', `${subject}: exponent of time`, maxExponent, cold, inUnit(2)),
        ),
      ],
    };
  },
};

function limitsOf({ subject, megabytes, cold, warm }: Row): Target[] {
  const limit = limits[subject] ?? {};
  const inTime = inUnit(1, 'ms');
  return [
    ...(limit.cold ? [atMost(subject, '4,000 messages, cold', limit.cold, cold.median, inTime)] : []),
    ...(limit.warm ? [atMost(subject, '4,000 messages, warm', limit.warm, warm.median, inTime)] : []),
    ...(subject === 'extractive writer'
      ? [atMost(subject, 'time per megabyte', maxPerMegabyte, cold.median / megabytes, inUnit(0, 'ms'))]
      : []),
  ];
}
