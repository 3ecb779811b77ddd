import type { Plugin } from 'vite';
import { looks, palette } from '../../../../packages/eval/src/page/palette.ts';

const address = 'virtual:palette.css';

/** Vite plugin that provides the palette as `virtual:palette.css`, with a swatch of each colour for legends. */
export function paletteSheet(): Plugin {
  return {
    name: 'palette-sheet',
    resolveId: (id) => (id === address ? `\0${address}` : null),
    load: (id) => (id === `\0${address}` ? `${palette}\n${swatches}` : null),
  };
}

const engineColours = ['first', 'second', 'third', 'recorded'];

const swatches = [...looks, ...engineColours]
  .map((look) => `.swatch.${look} { background: var(--${look}); }`)
  .join('\n');
