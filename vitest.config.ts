import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

// Packages of the workspace resolve to their sources, so tests need no build.
const conditions = ['palimpsest-source'];

// Tests that need modules of their own. Some replace modules; others draw secrets from a generator, and other files would
// change its state.
const apart = ['packages/testkit/test/broken-engines-unguarded.test.ts', 'packages/redactor/test/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions: [...conditions, 'import', 'module', 'default'] },
  // Without 'module': that code is for bundlers, and Node cannot always load it.
  // Without 'import': Vite adds it where it applies, and Node would apply it to `require`, too, which breaks pg.
  ssr: { resolve: { conditions: [...conditions, 'node', 'default'] } },
  test: {
    // One more than there are cores: many tests wait for a browser, a server or a program.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Loading every module again for each file takes a third of the time.
    isolate: false,
    // The default of 16 MB makes garbage collection take a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: [
            'packages/*/test/**/*.test.ts',
            'apps/*/test/**/*.test.ts',
            'tools/*/test/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...apart],
        },
      },
      { extends: true, test: { name: 'apart', include: apart, isolate: true } },
    ],
    typecheck: { enabled: false },
    setupFiles: ['test/property-seed.ts'],
    // A guard against hanging only: a busy machine is no failure.
    testTimeout: process.env.PALIMPSEST_DEEP ? 1_800_000 : 180_000,
    hookTimeout: 180_000,
  },
});
