import type { Plugin } from 'vite';
import { palette } from '../../src/page/palette.ts';

const address = 'virtual:palette.css';

/** Offers the colours of the program's own page as a style sheet, `virtual:palette.css`. */
export function paletteSheet(): Plugin {
  return {
    name: 'palette-sheet',
    resolveId: (id) => (id === address ? `\0${address}` : null),
    load: (id) => (id === `\0${address}` ? palette : null),
  };
}
