import { defineConfig } from 'vitest/config';

// Packages of the workspace resolve to their sources, so tests need no build.
const conditions = ['palimpsest-source'];

export default defineConfig({
  resolve: { conditions: [...conditions, 'import', 'module', 'default'] },
  // Without 'module': that code is for bundlers, and Node cannot always load it.
  ssr: { resolve: { conditions: [...conditions, 'node', 'import', 'default'] } },
  test: {
    // The default leaves one core to the watcher: half of a machine with two.
    maxWorkers: 2,
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    typecheck: { enabled: false },
    setupFiles: ['test/property-seed.ts'],
    testTimeout: process.env.PALIMPSEST_DEEP ? 1_800_000 : 30_000,
  },
});
