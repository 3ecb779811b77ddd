import type { MessageOutcome } from '@palimpsest/core';
import type { RoleLook } from '../strip-blocks.ts';

type Look = MessageOutcome['kind'] | RoleLook;

/** Lines and dots in a tile of 8 by 8. They tell looks apart without colour. */
const marks = {
  rising: '<path d="M-1 9L9 -1M-1 1L1 -1M7 9L9 7"/>',
  falling: '<path d="M-1 -1L9 9M7 -1L9 1M-1 7L1 9"/>',
  dots: '<path d="M3 4h2"/>',
  crossed: '<path d="M-1 9L9 -1M-1 -1L9 9"/>',
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

/** The patterns that the style sheet fills blocks with, as an element that is not shown. */
export const textureDefinitions: string = `<svg class="textures" aria-hidden="true"><defs>${Object.entries(textures)
  .map(
    ([look, texture]) =>
      `<pattern id="texture-${look}" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="plain-${look}" width="8" height="8"/>${marks[texture]}</pattern>`,
  )
  .join('')}</defs></svg>`;

const looks: readonly Look[] = [
  ...(['system', 'user', 'assistant', 'tool', 'inserted'] as const),
  ...(['kept', 'rewritten', 'carried', 'summarized', 'dropped'] as const),
];

/** Fills the blocks of each look with its colour and texture. */
export const lookStyle: string = looks
  .map((look) => {
    const fill = textures[look] ? `url(#texture-${look}) ` : '';
    return `.${look} { fill: ${fill}var(--${look}); } .plain-${look} { fill: var(--${look}); }`;
  })
  .join('\n');
