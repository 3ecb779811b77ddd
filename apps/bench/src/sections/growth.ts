import { type Growth, measureGrowth } from '../growth/measure-growth.ts';
import { subjects } from '../growth/subjects.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { withRange } from '../spread.ts';
import { atMost, inUnit } from '../target.ts';

/** Highest exponent that counts as linear. */
const mostExponent = 1.1;

/** Checks that time and memory grow linearly with the length of the transcript. */
export const growth: Section = {
  name: 'growth',
  title: 'Growth: time and heap by transcript length',
  async run({ quick }: BenchOptions): Promise<SectionResult> {
    const sizes = quick ? [100, 400] : [1_000, 4_000, 8_000, 16_000];
    const measured: Growth[] = [];
    const names = Object.keys(subjects);
    // A quick run uses one process for all subjects, since each takes over a second to start.
    for (const together of quick ? [names] : names.map((name) => [name]))
      measured.push(...(await measureGrowth({ subjects: together, sizes, rounds: quick ? 1 : 3 })));
    const broken = measured
      .filter(({ exponent, heapExponent }) => !Number.isFinite(exponent) || !Number.isFinite(heapExponent))
      .map(({ subject }) => `no finite growth exponent for ${subject}`);
    return {
      markdown: report(measured, sizes),
      figures: measured,
      broken,
      targets: measured.map(({ subject, exponent }) =>
        atMost('growth', `${subject}: fitted exponent of time`, mostExponent, exponent, inUnit(2)),
      ),
    };
  },
};

function report(measured: readonly Growth[], sizes: readonly number[]): string {
  const head = (what: string): string[] => [
    `| ${what} | exponent | ${sizes.map((size) => size.toLocaleString('en-US')).join(' | ')} |`,
    `|---|--:|${'--:|'.repeat(sizes.length)}`,
  ];
  const steep = measured.filter(({ exponent }) => exponent > mostExponent);
  const megabytes = (bytes: number): string => (bytes / (1 << 20)).toFixed(1);
  return [
    steep.length === 0
      ? `Every time exponent is at most ${mostExponent}.`
      : `Time exponents over the target of ${mostExponent}: ${steep.map(({ subject, exponent }) => `${subject} ${exponent.toFixed(2)}`).join(', ')}.`,
    '',
    `Columns are transcript lengths in messages of about 2,000 characters. Messages are newly parsed for every round, so nothing about them is cached. The exponent is fitted by least squares (1 is linear, the target is at most ${mostExponent}).`,
    '',
    ...head('processor time, ms: median (min to max)'),
    ...measured.map(
      ({ subject, exponent, points }) =>
        `| ${subject} | ${exponent.toFixed(2)} | ${points.map((point) => `${withRange(point, 1)}`).join(' | ')} |`,
    ),
    '',
    ...head('peak heap beyond the messages, MB'),
    ...measured.map(
      ({ subject, heapExponent, points }) =>
        `| ${subject} | ${heapExponent.toFixed(2)} | ${points.map(({ peakHeap }) => megabytes(peakHeap)).join(' | ')} |`,
    ),
  ].join('\n');
}
