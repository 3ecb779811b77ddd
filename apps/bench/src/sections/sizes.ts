import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { type BundleSize, bundleSizes } from '../sizes/bundle-size.ts';
import { atMost, inUnit } from '../target.ts';

/** What each package adds to a bundle. */
export const sizes: Section = {
  name: 'sizes',
  title: 'Bundle sizes',
  async run({ quick }: BenchOptions): Promise<SectionResult> {
    const found = await bundleSizes(quick);
    return {
      markdown: report(found),
      figures: found,
      broken: found
        .filter(({ alone, whole }) => alone === 0 || whole < alone * 0.9)
        .map(({ name }) => `no size of ${name}`),
      targets: found.flatMap(({ name, whole, limit }) =>
        limit === null
          ? []
          : [atMost(name, 'root entry with all it needs, gzipped', limit / 1_000, whole / 1_000, inUnit(1, 'kB'))],
      ),
    };
  },
};

function report(found: readonly BundleSize[]): string {
  const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);
  return [
    'Root entries, minified and gzipped, kB (1,000 bytes).',
    '',
    '| package | its own code | with all it needs | limit |',
    '|---|--:|--:|--:|',
    ...found.map(
      ({ name, alone, whole, limit }) =>
        `| @palimpsest/${name} | ${kilobytes(alone)} | ${kilobytes(whole)} | ${limit === null ? '' : kilobytes(limit)} |`,
    ),
  ].join('\n');
}
