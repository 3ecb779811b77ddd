import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the library', () => {
  it('loads no code of the program, and nothing of Node', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      // Node's modules cannot be resolved, so one of them is an error.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['palimpsest-source', 'import'],
      logLevel: 'silent',
    });
    const own = Object.keys(metafile.inputs).filter((path) => path.includes('packages/palimpsest/src/'));
    const folders = new Set(own.map((path) => path.replace(/.*\/palimpsest\/src\//, '').replace(/[^/]*$/, '')));
    expect([...folders].sort()).toEqual(['', 'library/']);
  });
});
