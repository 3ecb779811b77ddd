import { markdownOf } from './section.ts';
import type { Target } from './target.ts';

/** What both files begin with. */
export interface Measured {
  /** Date, machine and command, in one sentence. */
  readonly setting: string;
  readonly targets: readonly Target[];
}

interface Part {
  readonly title: string;
  readonly markdown: string;
}

/** Formats RESULTS.md, two screens: the missed targets, how many are met by area, and the summaries of sections. */
export function resultsText({ setting, targets }: Measured, summaries: readonly Part[]): string {
  const missed = targets.filter(({ met }) => !met);
  const areas = [...new Set(targets.map(({ area }) => area))].map((area) => {
    const own = targets.filter((target) => target.area === area);
    return `${area} ${own.filter(({ met }) => met).length} of ${own.length}`;
  });
  return textOf([
    '# Bench',
    `${setting} Details: [docs/bench.md](../../docs/bench.md), and \`results.json\` after a run.`,
    `## Missed: ${missed.length} of ${targets.length} targets`,
    targetTable(missed),
    'Possible: the best that any solution could reach, where that can be computed.',
    `Met, by area: ${areas.join(', ')}.`,
    ...summaries.flatMap(({ title, markdown }) => [`## ${title}`, markdown]),
  ]);
}

/** Formats docs/bench.md: all targets, and every section in full. */
export function detailsText({ setting, targets }: Measured, sections: readonly Part[]): string {
  const sorted = [...targets.filter(({ met }) => !met), ...targets.filter(({ met }) => met)];
  return textOf([
    '# Bench: details',
    `${setting} The short version is [RESULTS.md](../apps/bench/RESULTS.md).`,
    'A shared machine sometimes runs at half its speed. A short reference workload is timed before and after every timed round, and a round waits briefly for the machine to be fast. Times are medians over the half of the rounds with the fastest reference workload ("calm rounds").',
    ...(targets.length === 0
      ? []
      : [
          '## Targets',
          `${targets.filter(({ met }) => met).length} of ${targets.length} met, the others first. All values were measured in this run, on this machine. "Possible": the best that any solution could reach, where that can be computed.`,
          targetTable(sorted),
        ]),
    ...sections.flatMap(({ title, markdown }) => [`## ${title}`, markdown]),
  ]);
}

const textOf = (paragraphs: readonly string[]): string => `${paragraphs.join('\n\n')}\n`;

const targetTable = (targets: readonly Target[]): string =>
  markdownOf([
    {
      texts: 3,
      head: ['', 'area', 'metric', 'target', 'measured', 'possible'],
      rows: targets.map(({ area, metric, required, measured, met, possible = '' }) => [
        met ? 'met' : '**not met**',
        ...[area, metric, required, measured, possible],
      ]),
    },
  ]);
