import { truncate } from '@palimpsest/pruner/salience';
import type { FileOperation } from '../calls/file-operation.ts';

/** Maximum length of a note on a change, in characters. */
const maxNoteLength = 80;

interface PatchedFile {
  action: 'write' | 'edit' | 'delete' | 'move';
  path: string;
  to?: string;
  note: string | null;
}

/**
 * Reads the files that a patch changes, from the format of Codex (`*** Update File:`) or a unified diff. The note on a
 * file is the function that its last hunk names, or else the hunk's first changed line.
 */
export function patchOperations(patch: string): FileOperation[] {
  const files: PatchedFile[] = [];
  let file: PatchedFile | null = null;
  let old = '';
  const start = (next: PatchedFile): void => {
    file = next;
    files.push(next);
  };
  const isCodex = patch.includes('*** Begin Patch') || /^\*\*\* (?:Add|Update|Delete) File: /m.test(patch);
  for (const line of patch.split('\n')) {
    const current = file as PatchedFile | null;
    const codex = isCodex ? /^\*\*\* (Add|Update|Delete) File: (.{1,500}?)\s*$/.exec(line) : null;
    if (codex) {
      const action = codex[1] === 'Add' ? 'write' : codex[1] === 'Delete' ? 'delete' : 'edit';
      start({ action, path: codex[2]!, note: null });
    } else if (isCodex && current && line.startsWith('*** Move to: ')) {
      current.action = 'move';
      current.to = line.slice(13).trim();
    } else if (!isCodex && line.startsWith('--- ')) old = diffPath(line);
    else if (!isCodex && line.startsWith('+++ ') && old !== '') {
      const path = diffPath(line);
      if (path === '/dev/null') start({ action: 'delete', path: old, note: null });
      else start({ action: old === '/dev/null' ? 'write' : 'edit', path, note: null });
      old = '';
    } else if (!isCodex && line.startsWith('rename from ')) old = line.slice(12).trim();
    else if (!isCodex && line.startsWith('rename to ') && old !== '') {
      start({ action: 'move', path: old, to: line.slice(10).trim(), note: null });
      old = '';
    } else if (current && line.startsWith('@@'))
      current.note = noteOf(line.replace(/^@@(?: -[\d,]+ \+[\d,]+ @@)?/, ''));
    else if (current && /^[+-]/.test(line)) current.note ??= noteOf(line.slice(1));
  }
  return files.filter(({ path }) => path !== '' && path !== '/dev/null');
}

function diffPath(line: string): string {
  const path = line.slice(4).replace(/\t.*$/s, '').trim();
  return /^[ab]\//.test(path) ? path.slice(2) : path;
}

function noteOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : truncate(trimmed, maxNoteLength);
}
