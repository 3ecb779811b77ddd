import { defineConfig, type Options } from 'tsup';

/** How every package is built: ESM and CommonJS, types for both, sources mapped, nothing bundled in from other packages. */
export const packageBuild = (entry: string[] = ['src/index.ts'], overrides: Options = {}) =>
  defineConfig({
    entry,
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    sourcemap: false,
    splitting: true,
    treeshake: true,
    target: 'node20',
    platform: 'neutral',
    minifySyntax: true,
    ...overrides,
  });
