import { formatCount } from '@palimpsest/command-line/count';
import { type Change as Difference, diffLines, diffWords } from 'diff';

/** A part of two texts: in both, only in the earlier one, or only in the later one. */
export interface Change {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Time for the comparison of lines, and for that of the words in one pair of changed lines. */
const [linesMs, wordsMs] = [400, 50];
/** Longer changes are compared only by lines. */
const maxWordsLength = 2_000;
/** Lines shown at the start and at the end of a long part. */
const edgeLines = 2;
/** Longer lines are cut in the middle. */
const maxLineLength = 300;

/** Compares two texts by lines, and similar lines by words. `null` if that takes too long. */
export function textChanges(before: string, after: string): readonly Change[] | null {
  const lines = diffLines(before, after, { timeout: linesMs });
  if (!lines) return null;
  const changes: Difference[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [removed, added] = [lines[at]!, lines[at + 1]];
    const words = removed.removed && added?.added ? wordChanges(removed.value, added.value) : null;
    if (words) at++;
    // Only the last line may lack its line break.
    changes.push(...(words ?? [{ ...removed, value: added?.added ? withBreak(removed.value) : removed.value }]));
  }
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: shorten(value),
  }));
}

/** `null` if the texts are too long, or have less than half of their words in common. White space does not count. */
function wordChanges(before: string, after: string): readonly Difference[] | null {
  if (before.length > maxWordsLength || after.length > maxWordsLength) return null;
  const words = diffWords(before, after, { timeout: wordsMs });
  if (!words) return null;
  const same = words.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
  return inkOf(same.join('')) * 2 >= Math.min(inkOf(before), inkOf(after)) ? words : null;
}

function withBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function inkOf(text: string): number {
  return text.replace(/\s+/g, '').length;
}

/** The first and last lines of a long part, and the first and last characters of a long line. */
function shorten(text: string): string {
  const lines = text.split('\n');
  const left = lines.length - 2 * edgeLines - 1;
  const fewer =
    left < 2
      ? lines
      : [...lines.slice(0, edgeLines), `[… ${formatCount(left, 'line')} …]`, ...lines.slice(-edgeLines - 1)];
  return fewer.map(shortLine).join('\n');
}

function shortLine(line: string): string {
  if (line.length <= maxLineLength) return line;
  const edge = maxLineLength >> 1;
  return `${line.slice(0, edge)} [… ${formatCount(line.length - 2 * edge, 'character')} …] ${line.slice(-edge)}`;
}
