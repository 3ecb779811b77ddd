import type { ComponentChildren, JSX } from 'preact';

/** A look of the palette, and what it means. */
export type LegendEntry = readonly [look: string, words: ComponentChildren];

/** The colour legend. Swatches are decorative and hidden from screen readers. */
export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }): JSX.Element {
  return (
    <ul class="legend">
      {entries.map(([look, words]) => (
        <li key={look}>
          <span class={`swatch ${look}`} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}
