import { count } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { Folded } from '../folded.tsx';

/** More links than this are folded. */
const maxLinks = 4;

/** Links to messages by their numbers. */
export function MessageLinks({
  indices,
  onMessage,
}: {
  readonly indices: readonly number[];
  onMessage(index: number): void;
}): JSX.Element {
  return (
    <span class="sources">
      <Folded items={indices} shown={maxLinks}>
        {(some) =>
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
          ))
        }
      </Folded>
    </span>
  );
}
