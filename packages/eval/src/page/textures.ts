import type { MessageOutcome } from '@palimpsest/core';

/** The style of a block, by message role. `inserted` is a message written by an engine. */
export type RoleLook = 'system' | 'user' | 'assistant' | 'tool' | 'inserted';

type Look = MessageOutcome['kind'] | RoleLook;

/** Side of the tile that a texture repeats, in pixels. */
export const textureSide = 8;

/** Lines and dots in a tile, as paths of SVG. They tell looks apart without colour. */
const marks = {
  rising: 'M-1 9L9 -1M-1 1L1 -1M7 9L9 7',
  falling: 'M-1 -1L9 9M7 -1L9 1M-1 7L1 9',
  dots: 'M1 2h2M5 6h2',
  crossed: 'M-1 9L9 -1M-1 -1L9 9',
} as const;

/** The texture of each look. Others are plain. */
const textures: Partial<Readonly<Record<Look, keyof typeof marks>>> = {
  system: 'dots',
  assistant: 'rising',
  inserted: 'falling',
  rewritten: 'rising',
  carried: 'dots',
  summarized: 'falling',
  dropped: 'crossed',
};

/** The path that is drawn over a look's colour, in a tile; `null` for a plain look. */
export function texturePath(look: string): string | null {
  const texture = textures[look as Look];
  return texture ? marks[texture] : null;
}

/** All looks of blocks: the roles, and the outcomes. */
export const looks: readonly Look[] = [
  ...(['system', 'user', 'assistant', 'tool', 'inserted'] as const),
  ...(['kept', 'rewritten', 'carried', 'summarized', 'dropped'] as const),
];

const textured = looks.flatMap((look) => {
  const path = texturePath(look);
  return path === null ? [] : [[look, path] as const];
});

/** The patterns that the style sheet fills blocks with, as an element that is not shown. */
export const textureDefinitions: string = `<svg class="textures" aria-hidden="true"><defs>${textured
  .map(
    ([look, path]) =>
      `<pattern id="texture-${look}" width="${textureSide}" height="${textureSide}" patternUnits="userSpaceOnUse"><rect class="plain-${look}" width="${textureSide}" height="${textureSide}"/><path d="${path}"/></pattern>`,
  )
  .join('')}</defs></svg>`;

/** Fills the blocks of each look with its colour and texture. */
export const lookStyle: string = looks
  .map((look) => {
    const fill = texturePath(look) === null ? '' : `url(#texture-${look}) `;
    return `.${look} { fill: ${fill}var(--${look}); } .plain-${look} { fill: var(--${look}); }`;
  })
  .join('\n');
