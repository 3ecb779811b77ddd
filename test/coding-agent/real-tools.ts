import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files the agent works on: the sources of this repository. */
export const packages: string = fileURLToPath(new URL('../../packages/', import.meta.url));

export const toolNames = ['read_file', 'list_files', 'search', 'write_note'] as const;

export const toolParameters = {
  type: 'object',
  properties: { path: { type: 'string' }, from: { type: 'integer' }, text: { type: 'string' } },
  required: ['path'],
} as const;

/** Arguments of a tool call. */
export interface ToolInput {
  readonly path: string;
  readonly from?: number;
  readonly text?: string;
}

/** The sources below `packages`, in the same order on every machine. */
export function sourceFiles(root: string = packages): string[] {
  return readdirSync(root)
    .flatMap((name) => filesBelow(join(root, name, 'src'), `${name}/src`))
    .sort();
}

/** Runs a tool like an agent: results and errors are returned as text. */
export function runTool(
  name: string,
  { path, from = 0, text = '' }: ToolInput,
  notes: string,
  root: string = packages,
): string {
  try {
    switch (name) {
      case 'read_file':
        return numbered(readFileSync(join(root, path), 'utf8'), from);
      case 'list_files':
        return readdirSync(join(root, path)).join('\n');
      case 'search':
        return numbered(readFileSync(join(root, path), 'utf8'), 0, text);
      case 'write_note': {
        const file = join(notes, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        return `Wrote ${text.length} characters to ${path}.`;
      }
      default:
        return `There is no tool ${name}.`;
    }
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function numbered(content: string, from: number, wanted = ''): string {
  const lines = content
    .trimEnd()
    .split('\n')
    .map((line, at) => `${at + 1}\t${line}`);
  return lines
    .filter((line) => line.includes(wanted))
    .slice(from, from + 30)
    .join('\n');
}

function filesBelow(folder: string, name: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? filesBelow(join(folder, entry.name), `${name}/${entry.name}`)
        : entry.name.endsWith('.ts')
          ? [`${name}/${entry.name}`]
          : [],
    );
  } catch {
    return [];
  }
}
