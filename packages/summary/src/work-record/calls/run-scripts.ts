import { memoizeByObject } from '@palimpsest/core/authoring';
import { joinPath } from '../changes/join-path.ts';
import { scriptOperations } from '../shell/script-operations.ts';
import { shellOperations } from '../shell/shell-operations.ts';
import type { FileOperation } from './file-operation.ts';

const shellScript: RegExp = /\.(?:sh|bash|zsh)$/;

/**
 * Creates a function that replaces each run of a script file by what the script does with files, if it was written before
 * in these calls. The function must get the operations of all calls in order.
 */
export function runScripts(): (operations: readonly FileOperation[]) => readonly FileOperation[] {
  /** The newest scripts, by file name. */
  const written = new Map<string, FileOperation>();
  const run = (operation: FileOperation): FileOperation[] => {
    const source = written.get(nameOf(operation.path));
    if (!source || !isSameFile(source.path, operation.path)) return [];
    const { program, isLast, note = null, folder = '' } = operation;
    return effectsOf(source).map(({ action, path, to, isFolder }) => ({
      action,
      path: joinPath(folder, path),
      ...(to !== undefined && { to: joinPath(folder, to) }),
      ...(isFolder && { isFolder }),
      ...(program !== undefined && { program }),
      ...(isLast !== undefined && { isLast }),
      note,
    }));
  };
  return (operations) => {
    if (!operations.some(({ action, script }) => action === 'run' || script !== undefined)) return operations;
    return operations.flatMap((operation) => {
      if (operation.script !== undefined) written.set(nameOf(operation.path), operation);
      return operation.action === 'run' ? run(operation) : [operation];
    });
  };
}

/** What a written script does with files, relative to the folder in which it runs. Memoized per operation. */
const effectsOf = /* @__PURE__ */ memoizeByObject(({ path, script = '' }: FileOperation): readonly FileOperation[] => {
  const effects = shellScript.test(path) ? shellOperations(script) : scriptOperations(script);
  return effects.filter(({ action }) => action !== 'run' && action !== 'enter');
});

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True if one of two paths with the same file name ends with the other. */
function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}
