import { defineConfig, type Options } from 'tsup';

/** The build of every package: ESM and CommonJS with types. Other packages are not bundled in. */
export const packageBuild = (entry: string[] = ['src/index.ts'], overrides: Options = {}) =>
  defineConfig({
    entry,
    format: ['esm', 'cjs'],
    // Without the condition of our own sources: the types of other packages are read as they were built.
    dts: { compilerOptions: { customConditions: [] } },
    clean: true,
    sourcemap: false,
    splitting: true,
    treeshake: true,
    target: 'node20',
    platform: 'neutral',
    minifySyntax: true,
    ...overrides,
  });
