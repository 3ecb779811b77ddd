import type { Plugin } from 'vite';
import { palette } from '../../../../packages/eval/src/page/palette.ts';
import { looks, texturePath, textureSide } from '../../../../packages/eval/src/page/textures.ts';

const address = 'virtual:palette.css';

/** Vite plugin that provides the palette as `virtual:palette.css`, with a swatch of each colour and texture for legends. */
export function paletteSheet(): Plugin {
  return {
    name: 'palette-sheet',
    resolveId: (id) => (id === address ? `\0${address}` : null),
    load: (id) => (id === `\0${address}` ? `${palette}\n${swatches}` : null),
  };
}

const engineColours = ['first', 'second', 'third', 'recorded'];

const swatches = [...looks, ...engineColours]
  .map((look) => {
    const path = texturePath(look);
    const texture = path === null ? '' : `.swatch.${look}::after { mask-image: url("${picture(path)}"); }`;
    return `.swatch.${look} { background: var(--${look}); } ${texture}`;
  })
  .join('\n');

function picture(path: string): string {
  const side = `${textureSide}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><path d="${path}" fill="none" stroke="#000" stroke-width="1.5"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
