import { oneLine } from '@palimpsest/pruner/salience';
import type { FileChange } from '../work-record/changes/file-changes.ts';
import { type Item, item, verbatimItem } from './item.ts';
import type { MaterialRecord } from './material.ts';

/** Matches an entry about a changed file. */
const changed = /^- (.+?) - ((?:created|edited|deleted|renamed)\b[^;]*)(?:;|$)/;
const edits = /\bedited (?:once|(\d{1,6}) times)/;
/** Maximum number of changed files that get an entry each. */
const maxListed = 60;

/** The changed files, newest first. Files of the previous summary stay until they are changed again. */
export function fileItems({ work, isSummarized }: MaterialRecord, earlier: readonly string[]): Item[] {
  const changes = work.changes.filter(({ index }) => isSummarized(index));
  const now = new Set(changes.flatMap(({ path, renamedFrom }) => [path, renamedFrom]));
  const before = new Map(earlier.map((text) => [fileOf(text), text]));
  const listed = changes.slice(0, maxListed).map((change) => {
    const path = oneLine(change.path);
    const how = howChanged(change, before.get(change.path));
    // A bare path would only say that the file matters.
    const briefly = change.deleted ? 'deleted' : /^created/.test(how) ? 'created' : 'edited';
    return item('-', [`${path} - ${how}`, `${path} - ${briefly}`], change.indices.filter(isSummarized));
  });
  const others = changes.slice(maxListed);
  const names = others.map(({ path }) => oneLine(path)).join(', ');
  const inFolders = [...new Set(others.map(({ path }) => oneLine(path.slice(0, path.lastIndexOf('/') + 1) || './')))];
  const many = `${others.length} other changed files`;
  return [
    ...listed,
    ...(names === '' ? [] : [item('-', [`${many}: ${names}`, `${many} in ${inFolders.join(', ')}`, many])]),
    ...earlier.filter((text) => isStillTold(text, now)).map((text) => verbatimItem(text)),
  ];
}

/** True for an earlier entry about files that were not changed since. Files that were only read are found by search. */
function isStillTold(text: string, changedNow: ReadonlySet<string | null>): boolean {
  const path = fileOf(text);
  return path === null ? /^- \d+ other changed files/.test(text) : !changedNow.has(path);
}

/** The path of an entry about a changed file; `null` for other text. */
function fileOf(text: string): string | null {
  return changed.exec(text)?.[1] ?? null;
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
