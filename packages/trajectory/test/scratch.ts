import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is gone after the tests of a file. */
export interface Scratch {
  readonly path: string;
  write(name: string, content: string | Uint8Array): string;
}

export function scratchFolder(): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'palimpsest-trajectory-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}

/** A module that counts where the exact count does not matter. */
export function quickTokenizer(scratch: Scratch): string {
  return scratch.write('count.mjs', 'export const countTokens = (text) => Math.ceil(text.length / 4);\n');
}
