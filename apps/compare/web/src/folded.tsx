import { count } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';

interface FoldedProps<Item> {
  readonly items: readonly Item[];
  /** How many are visible at first. */
  readonly shown: number;
  children(items: readonly Item[]): JSX.Element | readonly JSX.Element[];
}

/** A list whose first items are visible; the others can be unfolded. */
export function Folded<Item>({ items, shown, children }: FoldedProps<Item>): JSX.Element {
  const rest = items.slice(shown);
  return (
    <>
      {children(items.slice(0, shown))}
      {rest.length > 0 && (
        <details>
          <summary>{count(rest.length)} more</summary>
          {children(rest)}
        </details>
      )}
    </>
  );
}
