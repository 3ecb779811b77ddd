import type { Message } from '@palimpsest/core';
import { readWorkRecord } from '@palimpsest/summary';
import { textsIn } from './anchors.ts';
import { type NamedShare, namedShare } from './kept.ts';

/** Counts the files that the agent changed and whose path is still in the output, in any message. */
export function keptFiles(input: readonly Message[], output: readonly Message[]): NamedShare {
  const files = changedFiles(input);
  if (files.length === 0) return namedShare([], new Set());
  const text = output.flatMap(textsIn).join('\n');
  const endings = shortEndings(files);
  return namedShare(files, new Set(files.filter((_, at) => isNamedIn(text, endings[at]!))));
}

/** Changed files by transcript: several engines run on one. */
const known = new WeakMap<readonly Message[], readonly string[]>();
const temporary: RegExp = /^(?:\/private)?\/(?:tmp|var\/folders|dev)\//;

/** The paths of the files that the agent changed and did not delete, without temporary files. */
function changedFiles(messages: readonly Message[]): readonly string[] {
  const found = known.get(messages);
  if (found) return found;
  const changed = readWorkRecord({ messages }).changes;
  const paths = changed.filter(({ path, deleted }) => !deleted && !temporary.test(path)).map(({ path }) => path);
  known.set(messages, paths);
  return paths;
}

/** The shortest end of each path, of at least two segments, that no other path shares: `store/index.ts`. */
function shortEndings(paths: readonly string[]): readonly string[] {
  return paths.map((path) => {
    const segments = path.split('/');
    for (let length = Math.min(2, segments.length); length < segments.length; length++) {
      const ending = segments.slice(-length).join('/');
      if (paths.filter((other) => `/${other}`.endsWith(`/${ending}`)).length === 1) return ending;
    }
    return path;
  });
}

/** Whether a text names a path, whole or grouped by folder as handoffs do: `store/: index.ts, file.ts`. */
function isNamedIn(text: string, path: string): boolean {
  if (isWordIn(text, path)) return true;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  if (folder === '') return false;
  for (let at = text.indexOf(`${folder}: `); at >= 0; at = text.indexOf(`${folder}: `, at + 1)) {
    const end = text.indexOf('\n', at);
    if (isWordIn(text.slice(at, end < 0 ? undefined : end), name)) return true;
  }
  return false;
}

function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const after = text.slice(at + word.length, at + word.length + 2);
    if (!/[\p{L}\p{N}_.-]/u.test(text[at - 1] ?? ' ') && !/^(?:[\p{L}\p{N}_/-]|\.\w)/u.test(after)) return true;
  }
  return false;
}
