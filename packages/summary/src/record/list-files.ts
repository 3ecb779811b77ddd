import type { SummaryLine } from '@palimpsest/core';
import { oneLine, truncate } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import type { FileChange } from '../work-record/changes/file-changes.ts';
import { ListEntry, type ShortenableList } from './fit-list.ts';
import { leftOutNote } from './left-out.ts';

const changed = /^(.+?) - ((?:created|edited|deleted|renamed)\b[^;]*)(?:;|$)/;
/** Maximum length of a model's note in characters. */
const longestNote = 160;
const edits = /\bedited (?:once|(\d{1,6}) times)/;

const leftOut = leftOutNote('more changed file', 'more changed files');
/** Matches a line that lists the files of a folder. */
const folderItem: RegExp = /^Changed in ([^:]{1,400}): (.*?)(?: and (\d{1,6}) more)?$/;
/** Tokens of the line with the number of files that are not named. */
const countLine = 12;
/** Tokens of a line's list mark and line break. */
const lineOverhead = 2;

/**
 * Lists the changed files, newest first, each with its kind of change. Files without room for a line are listed by
 * folder.
 */
export function fileList(
  changes: readonly FileChange[],
  previous: readonly string[],
  isFolded: (index: number) => boolean,
): ShortenableList {
  const earlier = earlierFiles(previous);
  const before = new Map(earlier.items.map((item) => [fileOf(item), item]));
  const now = new Set(changes.flatMap(({ path, renamedFrom }) => [path, renamedFrom]));
  const paths = new Map<ListEntry, string>();
  for (const change of changes) {
    const from = change.indices.filter(isFolded);
    paths.set(new ListEntry('-', () => fileForms(change, before.get(change.path)), [from]), oneLine(change.path));
  }
  for (const [path, item] of before)
    if (path !== null && !now.has(path)) paths.set(new ListEntry('-', () => [item]), path);
  return {
    entries: [...paths.keys()],
    keep: 'first',
    leftOutBefore: earlier.leftOut,
    leftOut: (count, gone, room) => {
      const named = filesByFolder(
        gone.map((entry) => ({ path: paths.get(entry)!, from: entry.from })),
        room - countLine,
      );
      const rest = count - named.files;
      return rest > 0 ? [...named.lines, leftOut.line(rest)] : named.lines;
    },
    leftOutShare: 0.5,
  };
}

/** The files in an earlier list, one item each, and the number of files it omitted. */
function earlierFiles(items: readonly string[]): { readonly items: readonly string[]; readonly leftOut: number } {
  let count = 0;
  const files = items.flatMap((item) => {
    count += leftOut.countIn(item);
    const [, folder, names, more = '0'] = folderItem.exec(item) ?? [];
    if (folder === undefined) return fileOf(item) === null ? [] : [item];
    count += Number(more);
    return names!.split(', ').map((name) => `${folder === './' ? '' : folder}${name} - edited`);
  });
  return { items: files, leftOut: count };
}

/** The path of an item of the list; `null` for other text. */
export function fileOf(item: string): string | null {
  return changed.exec(item)?.[1] ?? null;
}

/** Matches what an earlier list said about a file, in front of a model's note. */
const earlierWords: RegExp =
  /^(?:(?:created|renamed from [^;]{1,400}|edited(?: once| \d{1,6} times)?|deleted)(?:, |; |$)){1,4}(?:newest change: [^;]*(?:; |$))?/;

/** Adds a model's note about a file to the file's line in the list. @param named the file's name in the item */
export function withNote(line: string, named: string, item: string): string {
  const note = item
    .slice(item.indexOf(named) + named.length)
    .replace(/^[`\s:,\u2013\u2014-]+/, '')
    .replace(earlierWords, '');
  return note === '' || line.includes(note) ? line : `${line}; ${truncate(oneLine(note), longestNote)}`;
}

function fileForms(change: FileChange, before: string | undefined): string[] {
  const path = oneLine(change.path);
  const how = howChanged(change, before);
  const newest = change.newest ? [`${path} - ${how}; newest change: ${oneLine(change.newest)}`] : [];
  return [...newest, `${path} - ${how}`];
}

function howChanged({ created, edits: own, deleted, renamedFrom }: FileChange, before: string | undefined): string {
  const counted = before === undefined ? null : edits.exec(before);
  const total = own + (counted ? Number(counted[1] ?? 1) : 0);
  const words = [
    (created || (before !== undefined && / - created\b/.test(before))) && 'created',
    renamedFrom !== null && `renamed from ${oneLine(renamedFrom)}`,
    total > 0 && `edited ${total === 1 ? 'once' : `${total} times`}`,
    deleted && 'deleted',
  ].filter((word) => word !== false);
  return words.length > 0 ? words.join(', ') : 'edited';
}

/** A file without its own line, and the messages that changed it. */
interface ListedFile {
  readonly path: string;
  readonly from: readonly number[];
}

/** Lists as many files as fit by folder, folders with the most files first. */
function filesByFolder(
  all: readonly ListedFile[],
  room: number,
): { readonly lines: SummaryLine[]; readonly files: number } {
  const folders = new Map<string, ListedFile[]>();
  for (const { path, from } of all) {
    const end = path.lastIndexOf('/') + 1;
    const folder = path.slice(0, end) || './';
    const inside = folders.get(folder) ?? [];
    inside.push({ path: path.slice(end), from });
    folders.set(folder, inside);
  }
  const lines: SummaryLine[] = [];
  let left = room;
  let files = 0;
  for (const [folder, inside] of [...folders].sort(([, a], [, b]) => b.length - a.length)) {
    const line = folderLine(folder, inside, left);
    if (line === null) break;
    left -= estimateTokens(line.text) + lineOverhead;
    files += inside.length;
    lines.push(line);
  }
  return { lines, files };
}

/** Writes one line with as many files of a folder as fit; `null` if no name fits. */
function folderLine(folder: string, files: readonly ListedFile[], room: number): SummaryLine | null {
  let left = room - estimateTokens(`- Changed in ${folder}:  and 1000 more`) - lineOverhead;
  const shown = files.filter(({ path }) => {
    left -= estimateTokens(path) + 1;
    return left >= 0;
  });
  if (shown.length === 0) return null;
  const more = files.length - shown.length;
  const names = shown.map(({ path }) => oneLine(path)).join(', ');
  return {
    text: `- Changed in ${folder}: ${names}${more > 0 ? ` and ${more} more` : ''}`,
    from: shown.flatMap(({ from }) => from),
  };
}
