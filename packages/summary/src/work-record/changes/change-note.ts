import { truncate } from '@palimpsest/pruner/salience';

/** Maximum length of a note on a change, in characters. */
const maxNoteLength = 80;
/** Maximum characters to search at the beginning of a text. */
const searched = 20_000;

/** Matches a line that names a function, a class, a type, a test, a heading, or a section of a configuration file. */
const naming: RegExp =
  /^[ \t]{0,24}(?:#{1,6} \S|(?:export |default |public |private |protected |static |async |abstract |pub(?:\(\w+\))? |unsafe |inline |final |override )*(?:function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|module|namespace|record|object|sub|procedure)[ \t]+[\w$"'<(*&]|(?:export )?(?:const|let|var) [\w$]{1,80}(?::[^=\n]{1,80})? ?= ?(?:async ?)?(?:\(|function)|(?:describe|it|test)(?:\.\w+)?\(['"`]|\[\[?[\w.":-]{1,80}\]\]?[ \t]*$)/;

/**
 * Describes a change of a file: the first name in the changed lines, or the first of these lines; `null` if there are
 * none.
 */
export function changeNote(before: string, after: string): string | null {
  const old = new Set(before.slice(0, searched).split('\n'));
  const lines = after.slice(0, searched).split('\n');
  const changed = lines.filter((line) => !old.has(line) && /\w/.test(line));
  const line =
    changed.find((one) => naming.test(one)) ??
    lines.find((one) => naming.test(one)) ??
    changed[0] ??
    firstRemoved(before, after);
  return line === undefined ? null : truncate(line.trim(), maxNoteLength);
}

function firstRemoved(before: string, after: string): string | undefined {
  const kept = new Set(after.slice(0, searched).split('\n'));
  return before
    .slice(0, searched)
    .split('\n')
    .find((line) => !kept.has(line) && /\w/.test(line));
}
