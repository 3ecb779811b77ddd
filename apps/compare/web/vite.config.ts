import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { paletteSheet } from './build/palette-sheet.ts';
import { sampleList } from './build/sample-list.ts';

// Builds the web view to `dist` from the packages' sources, so the packages need no build.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative URLs, so that the page works under any path of a static host.
  base: './',
  resolve: { conditions: ['palimpsest-source', ...defaultClientConditions] },
  plugins: [paletteSheet(), sampleList(fileURLToPath(new URL('../samples/', import.meta.url)))],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // The security policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The largest recorded session, in kB: a chunk of its own, loaded when it is chosen.
    chunkSizeWarningLimit: 1_000,
    // Plugin timings depend on the machine.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
