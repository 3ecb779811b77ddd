import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineLoader } from 'vitepress';

/** Figures of one table of the bench: by row, then by column. */
type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;
export interface Figures {
  /** "Every measure of every compactor", in RESULTS.md. */
  readonly evaluation: Table;
  /** The held-out half of "Continuation", in docs/bench.md. */
  readonly continuation: Table;
  /** The held-out half of "Economics", in docs/bench.md: what all its sessions cost together. */
  readonly economics: Table;
}

declare const data: Figures;

export { data };

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const results = file('apps/bench/RESULTS.md');
const details = file('docs/bench.md');

/** The figures that pages quote, read from what the bench wrote, so that no page can have an old one. */
export default defineLoader({
  load(): Figures {
    const short = readFileSync(results, 'utf8');
    const text = readFileSync(details, 'utf8');
    const economics = text.slice(text.indexOf('## Economics'));
    const heldOut = /^The held-out half, (\d+) transcripts:$/m.exec(economics);
    if (!heldOut) throw new Error(`${details} does not tell what the held-out half costs`);
    return {
      evaluation: tableAfter(short, '| % | facts |'),
      continuation: tableAfter(text, '| held-out half, % | tokens used |'),
      economics: {
        ...tableAfter(economics.slice(heldOut.index), '| policy | Anthropic $ |'),
        all: { sessions: heldOut[1]! },
      },
    };
  },
});

/**
 * Reads a table of Markdown by the beginning of its first line. Names are plain text. What is in brackets, such as an
 * interval, is left out.
 */
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
      name!.replaceAll('**', '').replace(/ \(.*\)$/, ''),
      Object.fromEntries(cells.map((cell, at) => [head[at + 1]!, cell.replace(/ \(.*\)$/, '')])),
    ]),
  );
}
