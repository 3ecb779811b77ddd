import { count } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';

/** More links than this are folded. */
const most = 4;

/** Links to messages by their numbers. */
export function MessageLinks({
  indices,
  onMessage,
}: {
  readonly indices: readonly number[];
  onMessage(index: number): void;
}): JSX.Element {
  const links = (some: readonly number[]): JSX.Element[] =>
    some.map((index) => (
      <button
        key={index}
        type="button"
        class="source-link"
        aria-label={`Message ${index + 1}`}
        onClick={() => onMessage(index)}
      >
        {count(index + 1)}
      </button>
    ));
  const rest = indices.slice(most);
  return (
    <span class="sources">
      {links(indices.slice(0, most))}
      {rest.length > 0 && (
        <details>
          <summary>{count(rest.length)} more</summary>
          {links(rest)}
        </details>
      )}
    </span>
  );
}
