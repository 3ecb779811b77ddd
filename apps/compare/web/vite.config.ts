import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { paletteSheet } from './build/palette-sheet.ts';
import { sampleList } from './build/sample-list.ts';

// Builds the web view to `dist`, from the packages' sources: nothing else has to be built before.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses, so that the folder works below any path of any static host.
  base: './',
  resolve: { conditions: ['palimpsest-source', ...defaultClientConditions] },
  plugins: [paletteSheet(), sampleList(fileURLToPath(new URL('../samples/', import.meta.url)))],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // The security policy allows no data: address but the icon's.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The largest recorded session, in kB: a chunk of its own, loaded when it is chosen.
    chunkSizeWarningLimit: 1_000,
    // A slow machine is nothing to warn of.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
