import { oneLine, truncate } from '@palimpsest/pruner/salience';
import type { FileOperation } from '../calls/file-operation.ts';
import { changeNote } from '../changes/change-note.ts';
import { joinPath } from '../changes/join-path.ts';
import { patchOperations } from '../changes/read-patch.ts';
import { unknownText } from './file-arguments.ts';
import { innerCommand } from './inner-command.ts';
import { programOperations } from './program-operations.ts';
import { readShell, type ShellCommand, type ShellWord } from './read-shell.ts';
import { isScript, scriptOperations } from './script-operations.ts';
import { isInterpreter, isShell, programName } from './wrappers.ts';

/** Maximum length of a note on a change, in characters. */
const maxNoteLength = 80;
/** Maximum nesting of `bash -c`. */
const maxDepth = 5;
/** Maximum length of a folder path to follow, so that the time stays linear. Characters. */
const maxFolderLength = 1_000;

const notAFile: RegExp = /^\/dev\/(?:null|stdout|stderr|tty|fd\/)/;

interface ShellState {
  /** The current folder; `''` for the one in which the script started. */
  folder: string;
  /** The folders and subshells around the current one. */
  readonly outer: { depth: number; folder: string }[];
  readonly variables: ShellVariables;
  readonly found: FileOperation[];
  readonly level: number;
}

/**
 * Returns what a shell script does with files, in order. Paths are relative to the folder in which the script starts.
 */
export function shellOperations(script: string, folder = '', level = 0): FileOperation[] {
  const state: ShellState = { folder, outer: [], variables: new ShellVariables(), found: [], level };
  const commands = readShell(script);
  commands.forEach((command, index) => {
    runCommand(command, state, index === commands.length - 1, oneLine(command.text));
  });
  return state.found;
}

function runCommand(command: ShellCommand, state: ShellState, isLast: boolean, text: string): void {
  leaveSubshells(command.depth, state);
  const { words, assigned, nested } = innerCommand(command.words, true);
  for (const { name, value } of assigned) state.variables.set(name, [value]);
  const program = programName(words[0]?.text ?? '');
  const note = truncate(text, maxNoteLength);
  const add = (operation: FileOperation): void => {
    const { path, to } = operation;
    state.found.push({
      program,
      isLast,
      note,
      ...operation,
      path: joinPath(state.folder, path),
      ...(to !== undefined && { to: joinPath(state.folder, to) }),
      ...(operation.action === 'run' && { folder: joinPath(state.folder, operation.folder ?? '') }),
    });
  };
  for (const { target, append } of command.outputs)
    for (const path of state.variables.values(target))
      if (path !== '' && !notAFile.test(path))
        add({
          action: append ? 'append' : 'write',
          path,
          note: documentNote(command, note),
          program: '>',
          ...(!append && command.input !== null && program === 'cat' && isScript(path) && { script: command.input }),
        });
  if (words.length === 0) return;
  const args = words.slice(1);
  if (program === 'cd' || program === 'pushd') {
    enter(args, state);
    add({ action: 'enter', path: '' });
  } else if (program === 'for' && args[1]?.text === 'in') {
    state.variables.set(args[0]!.text, args.slice(2));
  } else if (program === 'apply_patch' || program === 'applypatch') {
    patchOperations(command.input ?? args[0]?.text ?? '').forEach(add);
  } else if ((program === 'patch' || (program === 'git' && args[0]?.text === 'apply')) && command.input !== null) {
    patchOperations(command.input).forEach(add);
  } else if (isShell(program) || nested !== null) {
    if (nested === null && command.input === null) runFile(args, state, add);
    const inner = nested === null ? command.input : words[nested]!.written;
    if (inner && state.level < maxDepth)
      for (const operation of shellOperations(inner, '', state.level + 1)) add({ ...operation, isLast });
  } else if (isInterpreter(program) && !args.some(({ text: option }) => /^-\w*i/.test(option))) {
    const flag = args.findIndex(({ text: option }) => /^-(?:c|e|-eval)$/.test(option));
    if (flag < 0 && command.input === null) runFile(args, state, add);
    scriptOperations((flag >= 0 ? args[flag + 1]?.text : command.input) ?? '').forEach(add);
  } else if (words[0]!.text.includes('/') && isScript(words[0]!.text)) {
    runFile(words, state, add);
  } else {
    const given = args.flatMap((word) => state.variables.argument(word));
    for (const operation of programOperations(program, given)) add(operation);
  }
}

/** Adds the run of the script file that is the first argument; an option may come before it, but no module. */
function runFile(args: readonly ShellWord[], { variables }: ShellState, add: (operation: FileOperation) => void): void {
  const file = args.find(({ text }) => !text.startsWith('-'));
  if (!file || args[0]!.text === '-m') return;
  for (const path of variables.values(file)) if (isScript(path)) add({ action: 'run', path });
}

/** Describes a here-document by its content, not by `cat`. */
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
  const folder = target && state.variables.values(target);
  const next = folder?.length === 1 ? joinPath(state.folder, folder[0]!) : state.folder;
  if (next.length <= maxFolderLength) state.folder = next;
}

const placeholder: RegExp = /\u0001(\w{1,64})\u0002/g;
/** Maximum length of a value to follow, so that the time stays linear. Characters. */
const maxValueLength = 1_000;
/** Maximum number of values to follow, such as those of a loop. */
const maxValues = 50;

/** The variables of a script, with the values known from the script. */
class ShellVariables {
  readonly #known = new Map<string, readonly string[]>();

  set(name: string, words: readonly ShellWord[]): void {
    const values = words.slice(0, maxValues).flatMap((word) => this.values(word));
    this.#known.set(name, values.slice(0, maxValues));
  }

  /** Returns the texts that a word may stand for; none if only the shell knows them. */
  values({ text, literal }: ShellWord): readonly string[] {
    if (!literal) return [];
    if (!text.includes('\u0001')) return [text];
    const names = new Set([...text.matchAll(placeholder)].map((found) => found[1]!));
    if (names.size !== 1) return [];
    const [name] = names;
    const known = text.length > maxValueLength ? [] : (this.#known.get(name!) ?? []);
    return known
      .map((value) => text.replaceAll(`\u0001${name}\u0002`, () => value))
      .filter((value) => value.length <= maxValueLength);
  }

  /**
   * Returns the texts of an argument. An unknown text is replaced by a placeholder, so that the others keep their
   * positions.
   */
  argument(word: ShellWord): readonly string[] {
    const known = this.values(word);
    return known.length > 0 ? known : [unknownText];
  }
}
