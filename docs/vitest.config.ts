import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Not among the tests of `npm test`, because they need the built site.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: { include: ['test/*.test.ts'], testTimeout: 60_000 },
});
