import type { ShellWord } from './read-shell.ts';
import { findScript, isInterpreter, isShell, keywords, programName, unwrap } from './wrappers.ts';

/** What is left of a command without keywords, assignments and wrappers such as `sudo` and `timeout 5`. */
export interface InnerCommand {
  readonly words: readonly ShellWord[];
  /** The variables that are set before the program. */
  readonly assigned: readonly { readonly name: string; readonly value: ShellWord }[];
  /** Index of the argument that holds a script, as in `bash -c SCRIPT`, or `null`. */
  readonly nested: number | null;
}

/** Maximum nesting of wrappers to resolve. */
const maxDepth = 5;

/**
 * Finds the command that a command runs.
 * @param isLocal true: stop at interpreters of files, and at wrappers whose command works on other files. @default false
 */
export function innerCommand(given: readonly ShellWord[], isLocal = false): InnerCommand {
  const assigned: { name: string; value: ShellWord }[] = [];
  const withoutPrefix = (words: readonly ShellWord[]): readonly ShellWord[] => {
    const first = words.findIndex((word) => {
      const name = /^([A-Za-z_]\w{0,80})\+?=/.exec(word.text)?.[1];
      if (name !== undefined)
        assigned.push({ name, value: { ...word, text: word.text.slice(word.text.indexOf('=') + 1) } });
      return name === undefined && word.text !== 'export' && !keywords.has(word.text);
    });
    return first < 0 ? [] : words.slice(first);
  };
  let words = withoutPrefix(given);
  for (let level = 0; level < maxDepth && words.length > 0; level++) {
    const written = words.map((word) => word.written);
    const nested = findScript(written);
    if (nested !== null) return { words, assigned, nested };
    const program = programName(written[0]!);
    if (isLocal && (isInterpreter(program) || isShell(program))) break;
    const start = unwrap(written, isLocal);
    if (start === null) break;
    words = withoutPrefix(words.slice(start));
  }
  return { words, assigned, nested: null };
}
