import { type ChangedFile, pathsChanged } from './changed-files.ts';
import type { OutputReading } from './output-reading.ts';

/** Largest distance between a path and the word that says that it was changed, in characters. */
const maxReach = 120;

/** Returns the changed files that an output names as changed: in a kept call that changes the file, or in a line that reports the change. */
export function filesIn(files: readonly ChangedFile[], output: OutputReading): ChangedFile[] {
  if (files.length === 0) return [];
  const calls = pathsChanged(output.messages, true).map((path) => `/${path}`);
  return files.filter(
    ({ ending, path }) =>
      calls.some((call) => call.endsWith(`/${ending}`) || path.endsWith(call)) || isNamedIn(ending, output),
  );
}

function isNamedIn(ending: string, { changeLines }: OutputReading): boolean {
  return changeLines.some(({ text, words }) => {
    for (const at of placesOf(ending, text))
      if (
        words === null ||
        words.some((word) => Math.abs(word - at) <= maxReach || (word > at && word - at <= ending.length + maxReach))
      )
        return true;
    return false;
  });
}

/** Finds a path's ending as whole segments, or grouped by folder: `src/store/: a.ts, b.ts` or `src/store/{a.ts,b.ts}`. */
function placesOf(ending: string, text: string): number[] {
  const places = occurrences(ending, text);
  const cut = ending.lastIndexOf('/');
  if (places.length > 0 || cut < 0) return places;
  return occurrences(ending.slice(0, cut + 1), text, false).filter((at) => {
    const list = /^(?::? ?[^/\n]{0,2000}|\{[^/\n}]{0,2000}\})/.exec(text.slice(at + cut + 1))?.[0] ?? '';
    return occurrences(ending.slice(cut + 1), list).length > 0;
  });
}

function occurrences(part: string, text: string, isWhole = true): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + part.length, at + part.length + 2);
    if (!/[\w.-]/.test(before) && (!isWhole || !/^(?:[\w/-]|\.\w)/.test(after))) places.push(at);
  }
  return places;
}
