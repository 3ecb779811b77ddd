import { type Target, targetTable } from './target.ts';

/** What both files begin with. */
export interface Measured {
  /** Date, machine and command, in one sentence. */
  readonly setting: string;
  readonly targets: readonly Target[];
}

/**
 * Formats RESULTS.md, two screens: the missed targets, how many are met by area, what each setting costs, and every measure
 * of every compactor.
 */
export function resultsText(
  { setting, targets }: Measured,
  costs: string | undefined,
  evaluation: string | undefined,
): string {
  const missed = targets.filter(({ met }) => !met);
  const areas = [...new Set(targets.map(({ area }) => area))].map((area) => {
    const own = targets.filter((target) => target.area === area);
    return `${area} ${own.filter(({ met }) => met).length} of ${own.length}`;
  });
  return [
    '# Bench',
    '',
    `${setting} Details: [docs/bench.md](../../docs/bench.md), and \`results.json\` after a run.`,
    '',
    `## Missed: ${missed.length} of ${targets.length} targets`,
    '',
    '| area | metric | target | measured | possible |',
    '|---|---|--:|--:|---|',
    ...missed.map(
      ({ area, metric, required, measured, possible = '' }) =>
        `| ${area} | ${metric} | ${required} | ${measured} | ${possible} |`,
    ),
    '',
    'Possible: the best that any solution could reach, where that can be computed.',
    '',
    `Met, by area: ${areas.join(', ')}.`,
    ...(costs === undefined ? [] : ['', '## What each setting costs', '', costs]),
    ...(evaluation === undefined ? [] : ['', '## Every measure of every compactor', '', evaluation]),
    '',
  ].join('\n');
}

/** Formats docs/bench.md: all targets, and every section in full. */
export function detailsText(
  { setting, targets }: Measured,
  sections: readonly { readonly title: string; readonly markdown: string }[],
): string {
  return [
    '# Bench: details',
    '',
    `${setting} The short version is [RESULTS.md](../apps/bench/RESULTS.md).`,
    '',
    'A shared machine sometimes runs at half its speed. A short reference workload is timed before and after every timed round, and a round waits briefly for the machine to be fast. Times are medians over the half of the rounds with the fastest reference workload ("calm rounds").',
    ...(targets.length > 0 ? ['', '## Targets', '', targetTable(targets)] : []),
    ...sections.flatMap(({ title, markdown }) => ['', `## ${title}`, '', markdown]),
    '',
  ].join('\n');
}
