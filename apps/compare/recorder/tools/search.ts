import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { failure, parameters, type Tool } from './tool.ts';

/** Arguments of the content search. `include` is a pattern for file names with `*`. */
export interface SearchArguments {
  readonly pattern: string;
  readonly path?: string;
  readonly include?: string;
}

/** Arguments of the folder listing. */
export interface ListArguments {
  readonly path?: string;
}

const MAXIMUM_MATCHES = 200;

/** Finds lines that match a regular expression, as `path:line: text`. */
export const searchFiles: Tool<SearchArguments> = {
  description:
    'Search file contents with a regular expression below path (default: the project). include limits it to file names such as "*.js". Returns path:line: text.',
  parameters: parameters({ pattern: { type: 'string' }, path: { type: 'string' }, include: { type: 'string' } }, [
    'pattern',
  ]),
  async run({ pattern, path = '.', include = '*' }, workspace) {
    const start = workspace.locate(path);
    if (!existsSync(start)) return failure(`no such file or folder: ${path}`);
    const expression = new RegExp(pattern);
    const name = new RegExp(`^${include.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    const matches: string[] = [];
    for (const file of filesBelow(start)) {
      if (!name.test(basename(file))) continue;
      for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries())
        if (expression.test(line)) matches.push(`${relative(workspace.project, file)}:${index + 1}: ${line.trim()}`);
    }
    if (matches.length === 0) return { text: `No matches for /${pattern}/`, ok: true };
    const shown = matches.slice(0, MAXIMUM_MATCHES);
    const over = matches.length - shown.length;
    return { text: `${matches.length} matches\n${shown.join('\n')}${over > 0 ? `\n(${over} more)` : ''}`, ok: true };
  },
};

/** Lists every file below a folder with its size in bytes. */
export const listFiles: Tool<ListArguments> = {
  description:
    'List all files below a folder (default: the project) with their sizes in bytes; .git and node_modules are left out.',
  parameters: parameters({ path: { type: 'string' } }, []),
  async run({ path = '.' }, workspace) {
    const start = workspace.locate(path);
    if (!existsSync(start)) return failure(`no such folder: ${path}`);
    const rows = filesBelow(start).map((file) => `${relative(workspace.project, file)} (${statSync(file).size})`);
    return { text: rows.length === 0 ? '(empty)' : rows.join('\n'), ok: true };
  },
};

function filesBelow(start: string): string[] {
  if (!statSync(start).isDirectory()) return [start];
  const files: string[] = [];
  const entries = readdirSync(start, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    const path = join(start, entry.name);
    if (entry.isDirectory()) files.push(...filesBelow(path));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
