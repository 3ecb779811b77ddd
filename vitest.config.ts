import { defineConfig } from 'vitest/config';

// Workspace packages resolve to their sources (the `palimpsest-source` condition), so tests need no build.
const conditions = ['palimpsest-source'];

export default defineConfig({
  resolve: { conditions: [...conditions, 'import', 'module', 'default'] },
  // Not 'module': it means code for a bundler, which Node cannot always load.
  ssr: { resolve: { conditions: [...conditions, 'node', 'import', 'default'] } },
  test: {
    // By itself it leaves a core to the watcher, which on a machine of two is half of the time.
    maxWorkers: 2,
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    typecheck: { enabled: false },
    setupFiles: ['test/property-seed.ts'],
    testTimeout: process.env.PALIMPSEST_DEEP ? 1_800_000 : 30_000,
  },
});
