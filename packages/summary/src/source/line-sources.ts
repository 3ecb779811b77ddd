import type { LineSource, SummaryLine } from '@palimpsest/core';
import type { Source } from './gather-source.ts';

/** Converts the sources of lines from positions in a source's messages to transcript indices. Omits unusable lines. */
export function transcriptLines(lines: readonly SummaryLine[], { messages }: Source): SummaryLine[] {
  return lines.flatMap(({ text, from }) => {
    const indices = new Set(from.flatMap((position) => messages[position]?.index ?? []));
    return indices.size > 0 ? [{ text, from: [...indices].sort((a, b) => a - b) }] : [];
  });
}

/**
 * Finds lines with known sources in a text.
 * @param known lines whose source is known; equal lines are matched in order of occurrence
 */
export function lineSources(text: string, known: readonly SummaryLine[]): LineSource[] {
  const sources = new Map<string, (readonly number[])[]>();
  for (const { text: line, from } of known) {
    if (line.trim() === '') continue;
    const all = sources.get(line);
    if (all) all.push(from);
    else sources.set(line, [from]);
  }
  const taken = new Map<string, number>();
  return text.split('\n').flatMap((line, at): LineSource[] => {
    const own = withoutNote(line, sources);
    if (own === null) return [];
    const found = sources.get(own)!;
    const place = taken.get(own) ?? 0;
    taken.set(own, place + 1);
    return [{ line: at, from: found[Math.min(place, found.length - 1)]! }];
  });
}

/**
 * Returns the known line that equals this line, if need be without a model's note at the end; `null` if there is none.
 */
function withoutNote(line: string, known: ReadonlyMap<string, unknown>): string | null {
  if (known.has(line)) return line;
  if (!line.startsWith('- ')) return null;
  for (let end = line.lastIndexOf('; '); end > 0; end = line.lastIndexOf('; ', end - 1)) {
    const own = line.slice(0, end);
    if (known.has(own)) return own;
  }
  return null;
}
