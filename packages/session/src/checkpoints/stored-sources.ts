import type { Edit, Inserted, LineSource } from '@palimpsest/core';

/** A plan whose handoffs have the sources of their lines as text. */
type StoredEdits = readonly unknown[];

/**
 * Writes the sources of lines as differences. They take a tenth of the room and, if a later handoff has the same lines at another
 * place, the same text.
 */
export function storeSources(edits: readonly Edit[]): StoredEdits {
  return changeSources(edits, (sources) => {
    let line = 0;
    let first = 0;
    const rows = sources.map(({ line: at, from }) => {
      const row = [at - line, ...from.map((index, place) => index - (place === 0 ? first : from[place - 1]!))];
      line = at;
      first = from[0]!;
      return row.join(' ');
    });
    return rows.join(',');
  });
}

/** Reverses {@link storeSources}. The result is not checked. */
export function restoreSources(edits: StoredEdits): Edit[] {
  return changeSources(edits as readonly Edit[], (text) => {
    let line = 0;
    let first = 0;
    return String(text)
      .split(',')
      .map((row): LineSource => {
        const [down = 0, ...steps] = row.split(' ').map(Number);
        line += down;
        let index = first;
        const from = steps.map((step) => {
          index += step;
          return index;
        });
        first = from[0] ?? first;
        return { line, from };
      });
  }) as Edit[];
}

function changeSources(edits: readonly Edit[], change: (sources: readonly LineSource[]) => unknown): unknown[] {
  const withChange = (inserted: Inserted): object =>
    inserted.sources ? { ...inserted, sources: change(inserted.sources) } : inserted;
  return edits.map((edit) => (edit.kind === 'replace' ? { ...edit, with: edit.with.map(withChange) } : edit));
}
