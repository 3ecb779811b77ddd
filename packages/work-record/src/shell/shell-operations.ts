import { oneLine, truncate } from '@palimpsest/salience';
import type { FileOperation } from '../calls/file-operation.ts';
import { changeNote } from '../changes/change-note.ts';
import { joinPath } from '../changes/join-path.ts';
import { patchOperations } from '../changes/read-patch.ts';
import { unknownText } from './file-arguments.ts';
import { programOperations } from './program-operations.ts';
import { readShell, type ShellCommand, type ShellWord } from './read-shell.ts';
import { scriptOperations } from './script-operations.ts';

/** Longest note on a change, in characters. */
const longestNote = 80;
/** How deeply `bash -c` may be nested. */
const deepest = 3;
/** Longer paths of folders and values of variables are not followed, so that the time stays linear. Characters. */
const longestValue = 1_000;
/** A variable with more values than this is not expanded. */
const mostValues = 50;

/** Words in front of a command that do not change what it does with files. */
const prefixes: ReadonlySet<string> = new Set([
  'sudo',
  'command',
  'builtin',
  'exec',
  'nohup',
  'time',
  'env',
  'then',
  'do',
  'else',
  'elif',
  'if',
  'while',
  'until',
  '{',
  '!',
]);
const shells: RegExp = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/;
const interpreters: RegExp = /^(?:\/(?:usr\/)?bin\/)?(?:python[\d.]*|node|ruby|perl)$/;
const placeholder: RegExp = /\u0001(\w{1,64})\u0002/g;
const notAFile: RegExp = /^\/dev\/(?:null|stdout|stderr|tty|fd\/)/;

interface ShellState {
  /** The current folder; `''` for the one in which the script started. */
  folder: string;
  /** The folders and subshells around the current one. */
  readonly outer: { depth: number; folder: string }[];
  readonly variables: Map<string, readonly string[]>;
  readonly found: FileOperation[];
  readonly level: number;
}

/** What a shell script does with files, in order. Paths are relative to the folder in which it starts. */
export function shellOperations(script: string, folder = '', level = 0): FileOperation[] {
  const state: ShellState = { folder, outer: [], variables: new Map(), found: [], level };
  const commands = readShell(script);
  commands.forEach((command, index) => {
    runCommand(command, state, index === commands.length - 1, oneLine(script.slice(command.from, command.to)));
  });
  return state.found;
}

function runCommand(command: ShellCommand, state: ShellState, isLast: boolean, text: string): void {
  leaveSubshells(command.depth, state);
  const words = withoutPrefixes(command.words, state);
  const program = words[0]?.text.replace(/^.*\//, '') ?? '';
  const note = truncate(text, longestNote);
  const add = (operation: FileOperation): void => {
    const { path, to } = operation;
    state.found.push({
      program,
      isLast,
      note,
      ...operation,
      path: operation.action === 'search' || operation.action === 'fetch' ? path : joinPath(state.folder, path),
      ...(to !== undefined && { to: joinPath(state.folder, to) }),
    });
  };
  for (const { target, append } of command.outputs)
    for (const path of values(target, state))
      if (path !== '' && !notAFile.test(path))
        add({ action: append ? 'append' : 'write', path, note: documentNote(command, note), program: '>' });
  if (words.length === 0) return;
  const args = words.slice(1);
  if (program === 'cd' || program === 'pushd') {
    enter(args, state);
    add({ action: 'enter', path: '' });
  } else if (program === 'for' && args[1]?.text === 'in') {
    state.variables.set(
      args[0]!.text,
      args
        .slice(2, 2 + mostValues)
        .flatMap((word) => values(word, state))
        .slice(0, mostValues),
    );
  } else if (program === 'apply_patch' || program === 'applypatch') {
    patchOperations(command.input ?? args[0]?.text ?? '').forEach(add);
  } else if ((program === 'patch' || (program === 'git' && args[0]?.text === 'apply')) && command.input !== null) {
    patchOperations(command.input).forEach(add);
  } else if (shells.test(words[0]!.text)) {
    const flag = args.findIndex(({ text: option }) => /^-\w*c$/.test(option));
    const inner = flag >= 0 ? args[flag + 1]?.text : command.input;
    if (inner && state.level < deepest)
      for (const operation of shellOperations(inner, '', state.level + 1)) add({ ...operation, isLast });
  } else if (interpreters.test(words[0]!.text) && !args.some(({ text: option }) => /^-\w*i/.test(option))) {
    const flag = args.findIndex(({ text: option }) => /^-(?:c|e|-eval)$/.test(option));
    scriptOperations((flag >= 0 ? args[flag + 1]?.text : command.input) ?? '').forEach(add);
  } else {
    const given = args.flatMap((word) => argumentTexts(word, state));
    for (const operation of programOperations(program, given)) add(operation);
  }
}

/** A here-document is described by what stands in it, not by `cat`. */
function documentNote({ input }: ShellCommand, note: string): string | null {
  return input === null ? note : changeNote('', input);
}

function leaveSubshells(depth: number, state: ShellState): void {
  for (let last = state.outer.at(-1); last && last.depth >= depth + 1; last = state.outer.at(-1)) {
    state.folder = last.folder;
    state.outer.pop();
  }
  while ((state.outer.at(-1)?.depth ?? 0) < depth)
    state.outer.push({ depth: (state.outer.at(-1)?.depth ?? 0) + 1, folder: state.folder });
}

function enter(args: readonly ShellWord[], state: ShellState): void {
  const target = args.find(({ text }) => !text.startsWith('-'));
  const folder = target && values(target, state);
  const next = folder?.length === 1 ? joinPath(state.folder, folder[0]!) : state.folder;
  if (next.length <= longestValue) state.folder = next;
}

/** Leaves out `sudo`, `timeout 5`, `FOO=bar` and the like. Remembers variables that are set. */
function withoutPrefixes(words: readonly ShellWord[], state: ShellState): readonly ShellWord[] {
  let first = 0;
  for (; first < words.length; first++) {
    const { text } = words[first]!;
    const assigned = /^([A-Za-z_]\w{0,63})=/.exec(text);
    if (assigned) {
      const value = values({ ...words[first]!, text: text.slice(assigned[0].length) }, state);
      state.variables.set(assigned[1]!, value);
    } else if (text === 'timeout') first++;
    else if (text === 'export' || prefixes.has(text)) continue;
    else break;
  }
  return words.slice(first);
}

/** The texts that a word stands for; none if only the shell knows them. */
function values({ text, literal }: ShellWord, { variables }: ShellState): readonly string[] {
  if (!literal) return [];
  if (!text.includes('\u0001')) return [text];
  const names = new Set([...text.matchAll(placeholder)].map((found) => found[1]!));
  if (names.size !== 1) return [];
  const [name] = names;
  const known = text.length > longestValue ? [] : (variables.get(name!) ?? []);
  return known
    .map((value) => text.replaceAll(`\u0001${name}\u0002`, () => value))
    .filter((value) => value.length <= longestValue);
}

/** The texts of an argument. One whose text is unknown keeps its place, so that the order of the others is clear. */
function argumentTexts(word: ShellWord, state: ShellState): readonly string[] {
  const known = values(word, state);
  return known.length > 0 ? known : [unknownText];
}
