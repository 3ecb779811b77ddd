import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../../../shared/sharegpt/', import.meta.url);

/** True if the real data sets are available. Tests that need them are skipped otherwise. */
export const setsPresent = existsSync(folder);
export const setsNote = setsPresent ? '' : ' (skipped: no ../shared/sharegpt here)';

export interface DataSet {
  readonly name: string;
  readonly path: string;
  readonly lines: readonly string[];
}

/** The lines of the real data sets. */
export function dataSets(): DataSet[] {
  if (!setsPresent) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => {
      const path = fileURLToPath(new URL(name, folder));
      return {
        name,
        path,
        lines: readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== ''),
      };
    });
}
