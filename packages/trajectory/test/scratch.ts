import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is removed after the tests of a file. */
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

/** Source of a fast tokenizer module, for tests that need no exact count. */
export function quickTokenizer(scratch: Scratch): string {
  return scratch.write('count.mjs', 'export const countTokens = (text) => Math.ceil(text.length / 4);\n');
}

/**
 * Source of a module that counts like {@link quickTokenizer}. From call number `SLOW_FROM_CALL` on, every call takes
 * 20 ms, so that a test can kill the process at a known point on any machine. It writes the file `slow` at that point, and
 * the number of calls, to within 20, to the file `calls`.
 */
export function slowingTokenizer(scratch: Scratch): { module: string; slow: string; calls: string } {
  const [slow, calls] = [join(scratch.path, 'slow'), join(scratch.path, 'calls')];
  const module = scratch.write(
    'slowing.mjs',
    `import { writeFileSync } from 'node:fs';

const from = Number(process.env.SLOW_FROM_CALL ?? Infinity);
let calls = 0;
export const countTokens = (text) => {
  if (++calls === from) writeFileSync(${JSON.stringify(slow)}, '');
  if (calls >= from) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  if (calls % 20 === 0) writeFileSync(${JSON.stringify(calls)}, String(calls));
  return Math.ceil(text.length / 4);
};
`,
  );
  return { module, slow, calls };
}
