import { type Wrapper, wrappers } from './known-wrappers.ts';

/** Keywords of the shell that may precede a command. */
export const keywords: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'while',
  'until',
  'do',
  '!',
  '{',
  'time',
]);
const assignment = /^[A-Za-z_]\w{0,80}\+?=/;
const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'fish', 'cmd', 'powershell', 'pwsh']);
const python = /^(?:python|pypy|py)(?:\d(?:\.\d{1,2})?)?$/;

/** Returns the name of a program without folder and suffix: `jest` for `./node_modules/.bin/jest`. */
export function programName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.(?:exe|cmd|bat|sh)$/i, '');
}

/** True for the name of a shell. */
export function isShell(program: string): boolean {
  return shells.has(program);
}

/** Removes assignments and keywords before the program. */
export function withoutPrefix(words: readonly string[]): readonly string[] {
  return words.slice(prefixLength(words));
}

function prefixLength(words: readonly string[]): number {
  const length = words.findIndex((word) => !keywords.has(word) && !assignment.test(word));
  return length < 0 ? words.length : length;
}

/** Returns the index of a script among the words, such as the argument of `bash -c`; `null` if there is none. */
export function nestedScript(words: readonly string[]): number | null {
  const program = programName(words[0] ?? '');
  const option = shells.has(program)
    ? words.findIndex((word) => /^-[a-z]{0,4}c$/i.test(word) || word === '/c')
    : /^nix(?:-shell)?$/.test(program) && /^(?:-c|--command|--run)$/.test(words.at(-2) ?? '')
      ? words.length - 2
      : -1;
  return option > 0 && option + 1 < words.length ? option + 1 : null;
}

/**
 * Returns the index at which a wrapper's inner command begins; `null` if the program is not a wrapper.
 * @param isLocal true: skip wrappers whose command works on other files, such as a container's. @default false
 */
export function unwrapped(words: readonly string[], isLocal = false): number | null {
  const program = programName(words[0] ?? '');
  const found = python.test(program) ? pythonModule(words) : behindWrappers(program, words, isLocal);
  return found !== null && found < words.length ? found : null;
}

/** `python -m pytest` runs pytest; `python manage.py test` runs `manage.py`. */
function pythonModule(words: readonly string[]): number | null {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-m') return at + 1;
    if (word === '-W' || word === '-X') at++;
    else if (!word.startsWith('-')) return at;
    else if (word === '-c') return null;
  }
  return null;
}

function behindWrappers(program: string, words: readonly string[], isLocal: boolean): number | null {
  for (const wrapper of wrappers) {
    if (!wrapper.programs.includes(program) || (isLocal && wrapper.elsewhere)) continue;
    const inner = behindWrapper(words, wrapper);
    if (inner !== null && inner < words.length) return inner;
  }
  return null;
}

function behindWrapper(words: readonly string[], wrapper: Wrapper): number | null {
  if (wrapper.behind) {
    const mark = words.findIndex((word) => wrapper.behind!.includes(word));
    return mark < 0 ? null : mark + 1;
  }
  let at = afterOptions(words, 1, wrapper.valued);
  if (wrapper.subcommands) {
    const name = wrapper.subcommands.find((one) => one === words.slice(at, at + one.split(' ').length).join(' '));
    if (name === undefined) return null;
    at = afterOptions(words, at + name.split(' ').length, wrapper.valued);
  }
  at += wrapper.skipped ?? 0;
  return at + prefixLength(words.slice(at));
}

/** Returns the index after the options that begin at `from`. */
export function afterOptions(words: readonly string[], from: number, valued: readonly string[] = []): number {
  let at = from;
  while (at < words.length && /^[-+]./.test(words[at]!)) at += valued.includes(words[at]!) ? 2 : 1;
  return at;
}
