import type { Plugin } from 'vite';
import { palette } from '../../../../packages/comparison/src/page/palette.ts';

const address = 'virtual:palette.css';

/** Vite plugin that provides the palette as `virtual:palette.css`. */
export function paletteSheet(): Plugin {
  return {
    name: 'palette-sheet',
    resolveId: (id) => (id === address ? `\0${address}` : null),
    load: (id) => (id === `\0${address}` ? palette : null),
  };
}
