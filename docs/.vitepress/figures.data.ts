import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineLoader } from 'vitepress';

/** Figures of one table of the bench: by row, then by column. */
type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;
export interface Figures {
  /** "Every measure of every compactor", in RESULTS.md. */
  readonly evaluation: Table;
  /** "What each setting costs", in RESULTS.md. */
  readonly economics: Table;
  /** The held-out half of "Continuation", in docs/bench.md. */
  readonly continuation: Table;
}

declare const data: Figures;

export { data };

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const results = file('apps/bench/RESULTS.md');
const details = file('docs/bench.md');

/** The figures that pages quote, read from what the bench wrote, so that no page can have an old one. */
export default defineLoader({
  load(): Figures {
    const text = readFileSync(results, 'utf8');
    const evaluation = tableAfter(text, '| % | facts |');
    const whole = /; \$([\d.]+) without compaction/.exec(text)?.[1];
    if (!whole) throw new Error(`${results} does not tell the cost without compaction`);
    return {
      evaluation: { ...evaluation, 'without compaction': { dollars: `$${whole}` } },
      economics: tableAfter(text, '| policy | dollars |'),
      continuation: tableAfter(readFileSync(details, 'utf8'), '| held-out half, % | tokens used |'),
    };
  },
});

/** Reads a table of Markdown by the beginning of its first line. Intervals, in brackets, are left out. */
function tableAfter(text: string, beginning: string): Table {
  const lines = text.slice(text.indexOf(beginning)).split('\n\n', 1)[0]!.split('\n');
  const [head, , ...rows] = lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  if (!text.includes(beginning) || !head || rows.length === 0) throw new Error(`no table begins with "${beginning}"`);
  return Object.fromEntries(
    rows.map(([name, ...cells]) => [
      name,
      Object.fromEntries(
        cells.map((cell, at) => {
          const column = head[at + 1]!;
          const figure = cell.replace(/ \(.*\)$/, '');
          return [column, column === 'dollars' ? `$${figure}` : figure];
        }),
      ),
    ]),
  );
}
