import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AdapterDriver, type Feature, features } from './driver.ts';

const docs = fileURLToPath(new URL('../../docs/adapters.md', import.meta.url));

/** What docs/adapters.md says about an adapter. */
export interface DocsRow {
  readonly works: readonly Feature[];
  /** The notes below the table, which begin with its name: what does not work, and why. */
  readonly limits: string;
}

/** Reads the row of an adapter, whose first cell is the driver's name. `null` if there is none. */
export function readDocsRow({ name }: AdapterDriver): DocsRow | null {
  const lines = readFileSync(docs, 'utf8').split('\n');
  const rows = lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const header = rows.find((cells) => features.every((feature) => cells.includes(feature)));
  const row = rows.find((cells) => cells[0] === name);
  if (!header || !row) return null;
  return {
    works: features.filter((feature) => row[header.indexOf(feature)] === 'yes'),
    limits: lines.filter((line) => line.startsWith(`- **${name}**`)).join('\n'),
  };
}
