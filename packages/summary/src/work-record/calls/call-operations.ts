import {
  fileAction,
  movedFromArguments,
  movedToArguments,
  newTextArguments,
  oldTextArguments,
  patchArguments,
  pathArguments,
  toolClass,
} from '@palimpsest/agents';
import { memoizeByObject } from '@palimpsest/core/authoring';
import { changeNote } from '../changes/change-note.ts';
import { plainPath } from '../changes/join-path.ts';
import { patchOperations } from '../changes/read-patch.ts';
import { isScript, scriptOperations } from '../shell/script-operations.ts';
import { shellOperations } from '../shell/shell-operations.ts';
import type { CallArguments } from './call-arguments.ts';
import { callScript } from './call-script.ts';
import type { FileOperation } from './file-operation.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Returns what a tool call does with files, in order. Memoized per arguments object. */
export const callOperations: (call: CallArguments) => readonly FileOperation[] =
  /* @__PURE__ */ memoizeByObject(readCall);

function readCall(call: CallArguments): FileOperation[] {
  const { tool, input } = call;
  const args = call.values ?? {};
  if (toolClass(tool) === 'command') {
    const folder = textOf(args, ['workdir', 'cwd', 'Cwd', 'working_directory', 'dir_path', 'directory']) ?? '';
    const script = callScript(call);
    return /python|code|notebook/.test(tool) ? scriptOperations(script) : shellOperations(script, folder);
  }
  const action = fileAction(tool, args.command);
  return action === null ? [] : fileOperations(action, args, input);
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
  const script = action === 'write' ? textOf(args, newTextArguments) : undefined;
  return paths.map((path) => ({
    action: change,
    path,
    note,
    ...(script !== undefined && isScript(path) && { script }),
  }));
}

function pathsOf(args: Arguments): string[] {
  const one = textOf(args, pathArguments);
  if (one !== undefined) return [plainPath(one)];
  const several = [args.paths, args.file_paths, args.files].find(Array.isArray) as unknown[] | undefined;
  return (several ?? []).filter(isText).map(plainPath);
}

/** Describes the last edit in a call. */
function noteOf(args: Arguments): string | null {
  const edits = [args.edits, args.ReplacementChunks].find(Array.isArray) as unknown[] | undefined;
  const last = edits?.at(-1);
  const edit = typeof last === 'object' && last !== null ? (last as Arguments) : args;
  const diff = textOf(edit, ['diff']);
  const before = textOf(edit, oldTextArguments) ?? '';
  return changeNote(before, textOf(edit, newTextArguments) ?? diff ?? '');
}

function textOf(args: Arguments, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args[name];
    if (isText(value)) return value;
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
