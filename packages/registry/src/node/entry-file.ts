import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

const extensions = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts'];

/** Returns the module file for a path: the file itself, or for a folder `main` of its `package.json`, or its `index`. */
export async function entryFile(path: string): Promise<string | null> {
  if (!(await stat(path)).isDirectory()) return path;
  const names = [await mainOf(path), ...extensions.map((extension) => `index${extension}`)];
  for (const name of names) {
    if (name === null) continue;
    const file = await realpath(join(path, name)).catch(() => null);
    if (file !== null && (await stat(file)).isFile()) return file;
  }
  return null;
}

async function mainOf(folder: string): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const main = typeof manifest === 'object' && manifest !== null && 'main' in manifest ? manifest.main : null;
    return typeof main === 'string' ? main : null;
  } catch {
    return null;
  }
}
