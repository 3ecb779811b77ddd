import type { Message } from '@palimpsest/core';
import { simpleCommands } from './shell-words.ts';
import { type CallReading, isFailed, readToolCalls, shellCommand } from './tool-calls.ts';

// These lists repeat some of the `agents` package on purpose: a measure that reads with the code it measures agrees with it.
const changingTools =
  /^(?:write|edit|create|insert|multi_?edit|multiedit|patch|apply_?(?:patch|diff)|str_replace|search_replace|replace|write_file|write_to_file|edit_file|create_file|delete_file|move_file|rename_file|replace_file_content|multi_replace_file_content|replace_symbol_body|insert_(?:after|before)_symbol|notebook_?edit|str_replace_editor|str_replace_based_edit_tool)$/;
const pathNames = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'file',
  'target_file',
  'TargetFile',
  'relative_path',
  'notebook_path',
  'destination',
];

/**
 * Returns the paths that the calls of a transcript changed, in order, without duplicates. A file that was moved again has
 * only its last path.
 * @param kept true to count failed calls as well, for an output whose shortened results do not show failures
 */
export function pathsChanged(messages: readonly Message[], kept = false): string[] {
  const paths = new Set<string>();
  for (const call of readToolCalls(messages)) {
    if (!kept && isFailed(call)) continue;
    if (!kept) for (const path of readShell(shellCommand(call) ?? '').moved) paths.delete(cleanPath(path));
    for (const path of filesChangedBy(call)) if (isLasting(path)) paths.add(cleanPath(path));
  }
  return [...paths];
}

function filesChangedBy(call: CallReading): string[] {
  const command = shellCommand(call);
  if (command !== null) return shellChanges(command).filter(looksLikeFile);
  if (!changingTools.test(call.tool)) return [];
  const { input, result } = call;
  if (/^str_replace_/.test(call.tool) && /^(?:view|undo_edit)$/.test(String(input.command ?? ''))) return [];
  const named = pathNames.flatMap((name) => (typeof input[name] === 'string' ? [input[name]] : []));
  const patched = Object.values(input).flatMap((value) => (typeof value === 'string' ? filesInPatch(value) : []));
  if (named.length + patched.length > 0) return [...named, ...patched];
  // Some recorders lose the arguments; the result names the file.
  return [
    ...result
      .slice(0, 400)
      .matchAll(
        /(?:The file|File created successfully at:?|Successfully (?:wrote to|replaced text in)) ([^\s]+?)\.?(?:\s|$)/g,
      ),
  ].map(([, path]) => path!);
}

const filesInPatch = (text: string): string[] =>
  [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path]) => path!.trim());

/** Returns the paths that a shell script changes: redirects, `tee`, `sed -i`, `mv`, `cp`, `rm`, `touch`, `apply_patch`. */
export function shellChanges(script: string): string[] {
  return readShell(script).paths;
}

/** The paths that a shell script changes, and those from which it moves files. */
function readShell(script: string): { readonly paths: string[]; readonly moved: readonly string[] } {
  const paths: string[] = [];
  const moved: string[] = [];
  let folder = '';
  const inFolder = (path: string): string => (folder !== '' && !/^[/~]/.test(path) ? `${folder}/${path}` : path);
  for (const { words: all, redirects } of simpleCommands(script)) {
    paths.push(...redirects.map(inFolder));
    const words = all.slice(all.findIndex((word) => !/^(?:sudo|then|do|else|!|[A-Z_]+=.*)$/.test(word)));
    const name = words[0] === 'git' && /^(?:mv|rm)$/.test(words[1] ?? '') ? words.splice(0, 2)[1]! : words.shift();
    const files = words.filter((word) => !word.startsWith('-') && word !== '');
    if (name === 'cd' && files[0]) folder = /^[/~]/.test(files[0]) ? files[0] : inFolder(files[0]);
    else if (name === 'tee' || name === 'touch') paths.push(...files.map(inFolder));
    else if (name === 'rm') paths.push(...files.filter((file) => /[^/]\.\w+$/.test(file)).map(inFolder));
    else if ((name === 'mv' || name === 'cp') && files.length > 1) {
      const to = files.at(-1)!;
      if (name === 'mv') moved.push(...files.slice(0, -1).map(inFolder));
      for (const from of files.slice(0, -1)) {
        const isFolder = to.endsWith('/') || files.length > 2 || !/\.\w+$/.test(to);
        paths.push(inFolder(isFolder ? `${to.replace(/\/$/, '')}/${from.split('/').at(-1)!}` : to));
      }
    } else if (
      (name === 'sed' || name === 'perl') &&
      words.some((word) => /^-\w*i/.test(word) || word.startsWith('--in-place'))
    )
      paths.push(
        ...files
          .slice(words.includes('-e') ? 0 : 1)
          .filter((file) => /[\w-]\.\w+$|\//.test(file) && !/^s\W/.test(file))
          .map(inFolder),
      );
  }
  return { paths: [...paths, ...filesInPatch(script)], moved };
}

/** Leaves out folders, and log files, which an agent need not know about. */
const looksLikeFile = (path: string): boolean =>
  /(?:[\w-]\.[A-Za-z]\w*|\/[A-Z]\w+|^[A-Z]\w+|\/\.\w+)$/.test(path) && !path.endsWith('.log');

/** Returns true for a path that names one file outside of the folders for temporary files. */
function isLasting(path: string): boolean {
  return (
    /^[^\s$*?{}()`<>|&;"'\\]+$/.test(path) &&
    /[A-Za-z]/.test(path.split('/').at(-1)!) &&
    !/^(?:\/private)?\/(?:tmp|dev|var\/folders|proc)\b/.test(path)
  );
}

const cleanPath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/\/{2,}/g, '/');

/** A changed file: the shortest end of its path, of at least two segments, that no other changed file shares. */
export interface ChangedFile {
  readonly path: string;
  readonly ending: string;
}

/** Returns the files that were changed. A relative path that ends another one's path is the same file. */
export function filesChanged(messages: readonly Message[]): ChangedFile[] {
  const all = pathsChanged(messages);
  const paths = all.filter((path) => !all.some((other) => other !== path && other.endsWith(`/${path}`)));
  const counts = new Map<string, number>();
  for (const path of paths) for (const ending of endingsOf(path)) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return paths.map((path) => ({ path, ending: endingsOf(path).find((ending) => counts.get(ending) === 1) ?? path }));
}

function endingsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length < 2) return [path];
  return segments.slice(0, -1).map((_, at) => segments.slice(segments.length - 2 - at).join('/'));
}
