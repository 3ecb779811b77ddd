import {
  commandArguments,
  fileAction,
  movedFromArguments,
  movedToArguments,
  newTextArguments,
  oldTextArguments,
  patchArguments,
  pathArguments,
  readToolName,
  searchArguments,
  toolClass,
  urlArguments,
} from '@palimpsest/agents';
import { type ToolCall, toolCallInput, toolCallName } from '@palimpsest/core';
import { changeNote } from '../changes/change-note.ts';
import { plainPath } from '../changes/join-path.ts';
import { patchOperations } from '../changes/read-patch.ts';
import { scriptOperations } from '../shell/script-operations.ts';
import { shellOperations } from '../shell/shell-operations.ts';
import type { FileOperation } from './file-operation.ts';

type Arguments = Readonly<Record<string, unknown>>;

const known = new WeakMap<ToolCall, { readonly input: string; readonly operations: readonly FileOperation[] }>();

/** What a tool call does with files, pages and searches, in order. Memoized per call object, and checked against its input. */
export function callOperations(call: ToolCall): readonly FileOperation[] {
  const input = toolCallInput(call);
  const memo = known.get(call);
  if (memo?.input === input) return memo.operations;
  const operations = readCall(toolCallName(call), input);
  known.set(call, { input, operations });
  return operations;
}

function readCall(called: string, input: string): FileOperation[] {
  const { tool } = readToolName(called);
  const args = parseArguments(input);
  const kind = toolClass(tool);
  if (kind === 'command') return commandOperations(tool, args, input);
  const action = fileAction(tool, args.command);
  if (action !== null) return fileOperations(action, args, input);
  if (kind === 'search') return named('search', args, searchArguments);
  if (kind === 'fetch' || kind === 'browse') {
    const pages = named('fetch', args, urlArguments);
    return pages.length > 0 ? pages : named('search', args, searchArguments);
  }
  return [];
}

/** The arguments of a call; none if they are not a JSON object. */
function parseArguments(input: string): Arguments {
  if (!/^\s*\{/.test(input)) return {};
  try {
    const parsed: unknown = JSON.parse(input);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Arguments) : {};
  } catch {
    return {};
  }
}

function commandOperations(tool: string, args: Arguments, input: string): FileOperation[] {
  const vector = [args.command, args.cmd].find(Array.isArray) as unknown[] | undefined;
  const folder = textOf(args, ['workdir', 'cwd', 'Cwd', 'working_directory', 'dir_path', 'directory']) ?? '';
  if (vector) {
    const [first, ...rest] = vector.map(String);
    const script = /(?:^|\/)(?:ba|z)?sh$/.test(first ?? '') && rest.length === 2 ? rest[1]! : null;
    if (script !== null) return shellOperations(script, folder);
    if (first === 'apply_patch') return patchOperations(rest[0] ?? '');
    return shellOperations(vector.map((word) => quoted(String(word))).join(' '), folder);
  }
  const command = textOf(args, commandArguments) ?? (/^\s*\{/.test(input) ? '' : input);
  return /python|code|notebook/.test(tool) ? scriptOperations(command) : shellOperations(command, folder);
}

function quoted(word: string): string {
  return /^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function fileOperations(
  action: NonNullable<ReturnType<typeof fileAction>>,
  args: Arguments,
  input: string,
): FileOperation[] {
  if (action === 'move' || action === 'copy') {
    const path = textOf(args, movedFromArguments) ?? textOf(args, pathArguments);
    const to = textOf(args, movedToArguments);
    return path === undefined || to === undefined ? [] : [{ action, path: plainPath(path), to: plainPath(to) }];
  }
  const paths = pathsOf(args);
  if (action === 'patch' || (paths.length === 0 && action === 'edit')) {
    const patched = patchOperations(textOf(args, patchArguments) ?? (/^\s*\{/.test(input) ? '' : input));
    if (patched.length > 0) return patched;
  }
  if (action === 'read' || action === 'open' || action === 'delete' || action === 'revert')
    return paths.map((path) => ({ action, path }));
  const note = noteOf(args);
  const change = action === 'patch' ? 'edit' : action;
  if (paths.length === 0) return [{ action: change, path: '', note }];
  return paths.map((path) => ({ action: change, path, note }));
}

function pathsOf(args: Arguments): string[] {
  const one = textOf(args, pathArguments);
  if (one !== undefined) return [plainPath(one)];
  const several = [args.paths, args.file_paths, args.files].find(Array.isArray) as unknown[] | undefined;
  return (several ?? []).filter((path): path is string => typeof path === 'string' && path !== '').map(plainPath);
}

/** What an edit was about. Of several edits in one call, the last. */
function noteOf(args: Arguments): string | null {
  const edits = [args.edits, args.ReplacementChunks].find(Array.isArray) as unknown[] | undefined;
  const last = edits?.at(-1);
  const edit = typeof last === 'object' && last !== null ? (last as Arguments) : args;
  const diff = textOf(edit, ['diff']);
  const before = textOf(edit, oldTextArguments) ?? '';
  return changeNote(before, textOf(edit, newTextArguments) ?? diff ?? '');
}

function named(action: 'search' | 'fetch', args: Arguments, names: readonly string[]): FileOperation[] {
  for (const name of names) {
    const value = args[name];
    const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string' && text !== '');
    if (texts.length > 0) return (texts as string[]).map((path) => ({ action, path }));
  }
  return [];
}

function textOf(args: Arguments, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
