import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { failure, parameters, type Tool } from './tool.ts';

/** Arguments of the tool that reads a file: `offset` counts lines from 1. */
export interface ReadArguments {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Arguments of the tool that writes a whole file. */
export interface WriteArguments {
  readonly path: string;
  readonly content: string;
}

/** Arguments of the tool that replaces one passage of a file. */
export interface EditArguments {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** Reads a file as numbered lines. */
export const readFile: Tool<ReadArguments> = {
  description:
    'Read a text file. Lines are numbered from 1. Give offset (first line) and limit (number of lines) for a part.',
  parameters: parameters(
    { path: { type: 'string' }, offset: { type: 'integer', minimum: 1 }, limit: { type: 'integer', minimum: 1 } },
    ['path'],
  ),
  async run({ path, offset = 1, limit = 2_000 }, workspace) {
    const file = workspace.locate(path);
    if (!existsSync(file)) return failure(`no such file: ${path}`);
    if (statSync(file).isDirectory()) return failure(`${path} is a folder; list it with list_files`);
    const lines = readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
    if (offset > lines.length) return failure(`${path} has ${lines.length} lines; offset ${offset} is past its end`);
    const end = Math.min(lines.length, offset - 1 + limit);
    const shown = lines.slice(offset - 1, end).map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
    const rest = end < lines.length ? `\n\n(${lines.length - end} more lines; the file has ${lines.length})` : '';
    return { text: workspace.neutral(shown.join('\n')) + rest, ok: true };
  },
};

/** Writes a whole file, new or in place of an old one. */
export const writeFile: Tool<WriteArguments> = {
  description: 'Write a file, creating its folders; an existing file is replaced.',
  parameters: parameters({ path: { type: 'string' }, content: { type: 'string' } }, ['path', 'content']),
  async run({ path, content }, workspace) {
    const file = workspace.locate(path);
    const before = existsSync(file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const lines = content.split('\n').length - (content.endsWith('\n') ? 1 : 0);
    return { text: `${before ? 'Replaced' : 'Created'} ${path} (${lines} lines)`, ok: true };
  },
};

/** Replaces a passage of a file, which must occur exactly once unless `replace_all` is set. */
export const editFile: Tool<EditArguments> = {
  description:
    'Replace old_string by new_string in a file. old_string must match exactly and occur once, unless replace_all is true. Returns the changed lines.',
  parameters: parameters(
    {
      path: { type: 'string' },
      old_string: { type: 'string' },
      new_string: { type: 'string' },
      replace_all: { type: 'boolean', default: false },
    },
    ['path', 'old_string', 'new_string'],
  ),
  async run({ path, old_string, new_string, replace_all }, workspace) {
    const file = workspace.locate(path);
    if (!existsSync(file)) return failure(`no such file: ${path}`);
    const text = readFileSync(file, 'utf8');
    const pieces = text.split(old_string);
    const found = pieces.length - 1;
    if (found === 0) return failure(`old_string not found in ${path}; read the file again, it may have changed`);
    if (found > 1 && replace_all !== true)
      return failure(`old_string occurs ${found} times in ${path}; add lines around it, or set replace_all`);
    const changed = pieces.join(new_string);
    writeFileSync(file, changed);
    const first = pieces[0]!.split('\n').length;
    const around = changed.split('\n').slice(Math.max(0, first - 3), first + new_string.split('\n').length + 2);
    const shown = around.map((line, index) => `${String(Math.max(1, first - 2) + index).padStart(6)}\t${line}`);
    const places = found === 1 ? '1 place' : `${found} places`;
    return { text: `Edited ${path} (${places}):\n${shown.join('\n')}`, ok: true };
  },
};
