import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { type BundleSize, bundleSizes } from '../sizes/bundle-size.ts';
import { atMost, inUnit } from '../target.ts';

/** Measures what each package adds to a bundle. */
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
        .map(({ name }) => `no plausible bundle size for ${name}`),
      targets: found.flatMap(({ name, whole, limit }) =>
        limit === null
          ? []
          : [atMost(name, 'root entry with dependencies, gzipped', limit / 1_000, whole / 1_000, inUnit(1, 'kB'))],
      ),
    };
  },
};

function report(found: readonly BundleSize[]): string {
  const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);
  return [
    'Root entries, minified and gzipped, kB (1,000 bytes).',
    '',
    '| package | own code | with dependencies | limit |',
    '|---|--:|--:|--:|',
    ...found.map(
      ({ name, alone, whole, limit }) =>
        `| @palimpsest/${name} | ${kilobytes(alone)} | ${kilobytes(whole)} | ${limit === null ? '' : kilobytes(limit)} |`,
    ),
  ].join('\n');
}
