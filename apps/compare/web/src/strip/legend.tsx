import type { JSX } from 'preact';

/** The colour legend. Swatches are decorative and hidden from screen readers. */
export function Legend({
  entries,
}: {
  readonly entries: readonly (readonly [look: string, words: string])[];
}): JSX.Element {
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
