import { oneLine } from '@palimpsest/pruner/salience';
import type { FileOperation } from '../calls/file-operation.ts';
import { type AnsweredCall, type CallEnding, endingOf, errorLines } from '../calls/select-answered.ts';

/** A file that the agent changed. */
export interface FileChange {
  /** Its current path, as the newest call names it. */
  readonly path: string;
  /** True if the agent created it in these messages. */
  readonly created: boolean;
  /** Number of changes to its content after creation. */
  readonly edits: number;
  readonly deleted: boolean;
  /** Its path before the agent renamed it; `null` if it was not renamed. */
  readonly renamedFrom: string | null;
  /**
   * The newest change in a few words: the changed symbol or heading, the first changed line, or the command; `null` if
   * unknown.
   */
  readonly newest: string | null;
  /** Index of the message with the newest change. */
  readonly index: number;
  /** Indices of all messages that changed it, in order, without reverted changes. */
  readonly indices: readonly number[];
}

/** Maximum number of deletions and reversals of whole folders to process, so that the time stays linear. */
const maxFolderOperations = 200;

/** A message that changed a file, linked to the previous one. */
interface Touch {
  readonly index: number;
  readonly before: Touch | null;
}

interface FileState {
  path: string;
  created: boolean;
  edits: number;
  deleted: boolean;
  renamedFrom: string | null;
  newest: string | null;
  index: number;
  touched: Touch | null;
  /** Number of commits before its newest change. */
  commits: number;
  /** Its state at the newest of these commits; `null` if it was not changed before that commit. */
  base: FileState | null;
}

/**
 * Lists the files that the agent changed with tools or the shell, newest change first. Temporary files come after the
 * others, and last are files that it created and deleted again, without temporary ones. Failed calls do not count.
 * @param key the function from `sameFile`: returns the path that identifies a file
 */
export function fileChanges(calls: readonly AnsweredCall[], key: (path: string) => string): FileChange[] {
  const files = new ChangedFiles(key);
  const others = pathsNotOnlyRead(calls, key);
  for (const call of calls)
    for (const operation of call.operations) {
      if (operation.action === 'read' && !others.has(key(operation.path))) continue;
      const ending = endingOf(call);
      if (!hasFailed(operation, ending)) files.apply(operation, call.index, ending.existed);
    }
  return files.list();
}

/** The paths on which some call does more than read. Most calls only read, and their results need not be examined. */
function pathsNotOnlyRead(calls: readonly AnsweredCall[], key: (path: string) => string): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { operations } of calls)
    for (const { action, path, to } of operations) {
      if (action !== 'read') paths.add(key(path));
      if (to !== undefined) paths.add(key(to));
    }
  return paths;
}

/**
 * True if an operation was not carried out. In a failed script, the commands before the last one count as carried out
 * unless an error line names them.
 */
function hasFailed({ program, isLast = true, path, to }: FileOperation, ending: CallEnding): boolean {
  if (ending.isRefused) return true;
  if (program === undefined) return ending.isFailed;
  if (program === '>') return errorLines(ending, `${path}: `).length > 0;
  if (ending.isFailed && isLast) return true;
  const own = errorLines(ending, `${program}: `).some(
    (line) => line.startsWith(`${program}: `) && (line.includes(path) || (to ?? '') !== ''),
  );
  return (
    own ||
    (program === 'git' &&
      ['fatal: ', 'error: '].some((mark) => errorLines(ending, mark).some((line) => line.startsWith(mark))))
  );
}

class ChangedFiles {
  readonly #files = new Map<string, FileState>();
  /** Files that existed before the agent changed them. */
  readonly #seen = new Set<string>();
  readonly #key: (path: string) => string;
  #opened = '';
  #commits = 0;
  #folderOperations = 0;

  constructor(key: (path: string) => string) {
    this.#key = key;
  }

  apply({ action, path: given, to, note = null, isFolder }: FileOperation, index: number, existed: boolean): void {
    const path = given === '' && action === 'edit' ? this.#opened : given;
    const key = this.#key(path);
    if (action === 'open' || action === 'write') this.#opened = path;
    if (existed && action === 'write') this.#seen.add(key);
    if (action === 'read' || action === 'open') {
      if (!this.#files.has(key)) this.#seen.add(key);
    } else if (action === 'commit') this.#commits++;
    else if (action === 'revert') this.#revert(key);
    else if (action === 'delete') this.#delete(key, path, index, isFolder === true);
    else if (action === 'move') this.#move(key, to!, index, note);
    else if (action === 'copy') this.#change(to!, 'write', index, note);
    else if (path !== '' && (action === 'write' || action === 'append' || action === 'edit'))
      this.#change(path, action, index, note);
  }

  list(): FileChange[] {
    return [...this.#files.values()]
      .filter((file) => !isGone(file) || !isTemporary(file.path))
      .map(({ commits: _, base: __, touched, ...change }) => ({
        ...change,
        indices: indicesOf(touched),
        path: oneLine(change.path),
        newest: change.newest === null ? null : oneLine(change.newest),
      }))
      .sort((a, b) => rankOf(a) - rankOf(b) || b.index - a.index);
  }

  #change(path: string, action: 'write' | 'append' | 'edit', index: number, note: string | null): void {
    const key = this.#key(path);
    const known = this.#files.get(key);
    if (known && !known.deleted) {
      this.#set(key, { path, edits: known.edits + 1, newest: note ?? known.newest, index });
      return;
    }
    const created = action !== 'edit' && (known ? known.created : !this.#seen.has(key));
    this.#set(key, {
      path,
      created,
      edits: created ? 0 : (known?.edits ?? 0) + 1,
      deleted: false,
      newest: note,
      index,
    });
  }

  #delete(key: string, path: string, index: number, isFolder: boolean): void {
    // `rm -r` deletes a folder, unless the path is known as a file.
    const known = this.#files.has(key) || this.#seen.has(key);
    if (known || !isFolder) this.#set(key, { path, deleted: true, newest: null, index });
    if (isFolder && !known) for (const one of this.#inside(key)) this.#set(one, { deleted: true, newest: null, index });
  }

  #move(key: string, to: string, index: number, note: string | null): void {
    const known = this.#files.get(key);
    this.#files.delete(key);
    const first = known?.renamedFrom ?? key;
    // A file that was renamed back does not count as renamed.
    const renamedFrom = known?.created || this.#key(first) === this.#key(to) ? null : first;
    this.#set(this.#key(to), { ...known, path: to, deleted: false, renamedFrom, newest: note, index });
  }

  /** Reverts the changes of a file or a folder since the last commit. */
  #revert(key: string): void {
    for (const path of this.#files.has(key) ? [key] : this.#inside(key)) {
      const file = this.#files.get(path)!;
      // Git does not revert untracked files.
      if (file.commits < this.#commits || (file.created && file.base === null)) continue;
      if (file.base) this.#files.set(path, file.base);
      else this.#files.delete(path);
    }
  }

  /** Returns the changed files in a folder; `''` stands for the root. */
  #inside(folder: string): string[] {
    if (++this.#folderOperations > maxFolderOperations) return [];
    return [...this.#files.keys()].filter((path) => folder === '' || path.startsWith(`${folder}/`));
  }

  #set(key: string, change: Partial<FileState> & Pick<FileState, 'index'>): void {
    const known = this.#files.get(key);
    const base = known && known.commits === this.#commits ? known.base : (known ?? null);
    const touched = { index: change.index, before: change.touched ?? known?.touched ?? null };
    this.#files.set(key, { ...untouched, ...known, ...change, touched, commits: this.#commits, base });
  }
}

function indicesOf(newest: Touch | null): number[] {
  const indices = new Set<number>();
  for (let touch = newest; touch; touch = touch.before) indices.add(touch.index);
  return [...indices].reverse();
}

/** True for a file that the agent created and deleted again. */
function isGone({ created, deleted }: Pick<FileChange, 'created' | 'deleted'>): boolean {
  return created && deleted;
}

/** Files of the project come first, then temporary ones, then those that are gone again. */
function rankOf(change: FileChange): number {
  return isGone(change) ? 2 : Number(isTemporary(change.path));
}

/** True for a file in a folder for temporary files. */
function isTemporary(path: string): boolean {
  return /^(?:\/private)?(?:\/var)?\/tmp\/|^\/(?:private\/)?var\/folders\/|^\/dev\/shm\/|\/AppData\/Local\/Temp\/|(?:^|\/)scratchpad\//.test(
    path,
  );
}

const untouched: FileState = {
  path: '',
  created: false,
  edits: 0,
  deleted: false,
  renamedFrom: null,
  newest: null,
  index: -1,
  touched: null,
  commits: 0,
  base: null,
};
