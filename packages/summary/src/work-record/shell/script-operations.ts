import type { FileOperation } from '../calls/file-operation.ts';

/** Maximum characters to search at the beginning of a script. */
const searched = 50_000;

const quoted = String.raw`[rbu]?(?:'([^'\n\\]{1,300})'|"([^"\n\\]{1,300})"|${'`'}([^${'`'}$\n\\]{1,300})${'`'})`;
/** A path as a literal, or the name of a variable. */
const place = String.raw`(?:(?:pathlib\.)?Path\(\s{0,4})?(?:${quoted}|(\w{1,64}))\s{0,4}\)?`;
const assignment = new RegExp(
  String.raw`^[ \t]{0,40}(?:const |let |var )?(\w{1,64})\s{0,4}=\s{0,4}(?:(?:pathlib\.)?Path\(\s{0,4})?${quoted}\s{0,4}\)?[ \t]{0,4};?[ \t]*$`,
  'gm',
);
const opened = new RegExp(String.raw`\bopen\(\s{0,8}${place}\s{0,8},\s{0,8}(?:mode\s?=\s?)?['"](r\+|[wax])`, 'g');
const written = new RegExp(String.raw`(?<![\w.])${place}\.write_(?:text|bytes)\(`, 'g');
const saved = new RegExp(String.raw`\b(?:write|append)File(?:Sync)?\(\s{0,8}${place}`, 'g');
const removed = new RegExp(String.raw`\b(?:os\.(?:remove|unlink)|(?:unlink|rm)Sync)\(\s{0,8}${place}`, 'g');
const renamed = new RegExp(
  String.raw`\b(?:os\.rename|shutil\.move|renameSync)\(\s{0,8}${place}\s{0,8},\s{0,8}${place}`,
  'g',
);

/** True for the path of a script whose text shows what it does. */
export function isScript(path: string): boolean {
  return /\.(?:py|[cm]?js|sh|bash|zsh)$/.test(path);
}

/**
 * Returns the files that a script in Python or JavaScript writes, as far as the script names them. If it changes the
 * current folder, only those with an absolute path.
 */
export function scriptOperations(whole: string): FileOperation[] {
  const script = whole.slice(0, searched);
  const found: FileOperation[] = [];
  const variables = new Map<string, string>();
  const changesFolder = /\bchdir\(/.test(script);
  for (const [, name, ...texts] of script.matchAll(assignment)) {
    const value = texts.find((text) => text !== undefined);
    if (value !== undefined) variables.set(name!, value);
  }
  const pathIn = (groups: readonly (string | undefined)[]): string | undefined => {
    const path = groups.slice(0, 3).find((text) => text !== undefined) ?? variables.get(groups[3] ?? '');
    if (path === undefined || !/^[^\s{}$%]/.test(path) || /[{}$%*]/.test(path)) return undefined;
    return changesFolder && !/^[/~]/.test(path) ? undefined : path;
  };
  const add = (shape: RegExp, action: (groups: readonly (string | undefined)[]) => FileOperation['action']): void => {
    for (const [, ...groups] of script.matchAll(shape)) {
      const path = pathIn(groups);
      if (path !== undefined) found.push({ action: action(groups), path });
    }
  };
  // A script that reads a file and then writes it edits an existing file.
  const writes = /\.read(?:_text|_bytes|lines?)?\(|readFile/.test(script) ? 'edit' : 'write';
  add(opened, ([, , , , mode]) => (mode === 'a' ? 'append' : mode === 'r+' ? 'edit' : writes));
  add(written, () => writes);
  add(saved, () => writes);
  add(removed, () => 'delete');
  for (const [, ...groups] of script.matchAll(renamed)) {
    const path = pathIn(groups);
    const to = pathIn(groups.slice(4));
    if (path !== undefined && to !== undefined) found.push({ action: 'move', path, to });
  }
  return found;
}
