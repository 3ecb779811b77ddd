import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

const extensions = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts'];

/** Conditions of `exports` that hold for an `import` in Node. */
const conditions = ['node', 'import', 'module-sync', 'default', 'require'];

/**
 * Returns the module file for a path: the file itself, or for a folder the entry that its `package.json` names in `exports`
 * or `main`, or its `index`.
 */
export async function entryFile(path: string): Promise<string | null> {
  if (!(await stat(path)).isDirectory()) return path;
  const { exports, main } = await manifestOf(path);
  const names = [exportedFile(exports), main, ...extensions.map((extension) => `index${extension}`)];
  for (const name of names) {
    if (typeof name !== 'string') continue;
    const file = await realpath(join(path, name)).catch(() => null);
    if (file !== null && (await stat(file)).isFile()) return file;
  }
  return null;
}

/** The file that `exports` names for the package itself. The first condition that holds counts, as in Node. */
function exportedFile(exports: unknown): string | null {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return null;
  for (const [key, value] of Object.entries(exports)) {
    const found = key === '.' || conditions.includes(key) ? exportedFile(value) : null;
    if (found !== null) return found;
  }
  return null;
}

async function manifestOf(folder: string): Promise<{ readonly exports?: unknown; readonly main?: unknown }> {
  try {
    return Object(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  } catch {
    return {};
  }
}
