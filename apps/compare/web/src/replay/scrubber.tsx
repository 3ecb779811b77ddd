import { count } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { usePage } from '../page.ts';
import { Term } from '../term.tsx';

/** Chooses the request whose prompts the strips show. */
export function Scrubber(): JSX.Element {
  const { store, state, opened } = usePage();
  const turns = opened.recorded.sent.length;
  const turn = state.turn ?? turns - 1;
  return (
    <div class="scrubber">
      <span class="name">
        <label for="request">Request</label> <Term name="request" label="What is a request?" />
      </span>
      <input
        id="request"
        type="range"
        min={1}
        max={Math.max(turns, 1)}
        value={turn + 1}
        aria-valuetext={`request ${turn + 1} of ${turns}`}
        onInput={(event) => store.showRequest(Number(event.currentTarget.value) - 1)}
      />
      <output for="request">{`${count(turn + 1)} of ${count(turns)}`}</output>
    </div>
  );
}
