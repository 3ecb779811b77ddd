import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A temporary folder that is deleted after the tests of a file. */
export function scratchFolder(): { readonly path: string; write(name: string, content: unknown): string } {
  const path = mkdtempSync(join(tmpdir(), 'palimpsest-compare-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(
        file,
        typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
      );
      return file;
    },
  };
}
