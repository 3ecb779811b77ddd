import { type Growth, measureGrowth } from '../growth/measure-growth.ts';
import { subjects } from '../growth/subjects.ts';
import { type BenchOptions, count, type Measured, type Section, type Table } from '../section.ts';
import { withRange } from '../spread.ts';
import { atMost, inUnit } from '../target.ts';

/** Highest exponent that counts as linear. */
const mostExponent = 1.1;

/** Checks that time and memory grow linearly with the length of the transcript. */
export const growth: Section = {
  name: 'growth',
  title: 'Growth: time and heap by transcript length',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const sizes = quick ? [100, 400] : [1_000, 4_000, 8_000, 16_000];
    const measured: Growth[] = [];
    const names = Object.keys(subjects);
    // A quick run uses one process for all subjects, since each takes over a second to start.
    for (const together of quick ? [names] : names.map((name) => [name]))
      measured.push(...(await measureGrowth({ subjects: together, sizes, rounds: quick ? 1 : 3 })));
    const broken = measured
      .filter(({ exponent, heapExponent }) => !Number.isFinite(exponent) || !Number.isFinite(heapExponent))
      .map(({ subject }) => `no finite growth exponent for ${subject}`);
    const table = (what: string, of: (one: Growth) => [exponent: number, cells: string[]]): Table => ({
      head: [what, 'exponent', ...sizes.map(count)],
      rows: measured.map((one) => {
        const [exponent, cells] = of(one);
        return [one.subject, exponent.toFixed(2), ...cells];
      }),
    });
    return {
      report: [
        `Columns are transcript lengths in messages of about 2,000 characters. Messages are newly parsed for every round, so nothing about them is cached. The exponent is fitted by least squares (1 is linear, the target is at most ${mostExponent}).`,
        table('processor time, ms: median (min to max)', ({ exponent, points }) => [
          exponent,
          points.map((point) => withRange(point, 1)),
        ]),
        table('peak heap beyond the messages, MB', ({ heapExponent, points }) => [
          heapExponent,
          points.map(({ peakHeap }) => (peakHeap / (1 << 20)).toFixed(1)),
        ]),
      ],
      figures: measured,
      broken,
      targets: measured.map(({ subject, exponent }) =>
        atMost('growth', `${subject}: fitted exponent of time`, mostExponent, exponent, inUnit(2)),
      ),
    };
  },
};
