import { count } from '@palimpsest/command-line/count';
import type { JSX, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reveal } from './reveal.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly query: string;
  /** Holds the rendered text. Its `mark` elements are what is found. */
  readonly within: RefObject<HTMLElement | null>;
  onQuery(query: string): void;
}

/** A field that searches a rendered text. Enter goes to the next place, Shift and Enter to the one before. */
export function SearchField({ label, query, within, onQuery }: SearchFieldProps): JSX.Element {
  const [found, setFound] = useState(0);
  const [at, setAt] = useState(0);
  const mark = (to: number): HTMLElement | null => {
    const all = [...(within.current?.querySelectorAll('mark') ?? [])];
    const next = all.length === 0 ? 0 : (to + all.length) % all.length;
    for (const [index, one] of all.entries()) one.classList.toggle('current', index === next);
    setFound(all.length);
    setAt(next);
    return all[next] ?? null;
  };
  const go = (to: number): void => {
    const place = mark(to);
    if (place) reveal(place);
  };
  useEffect(() => {
    go(0);
    // The text arrives from a worker, and changes when another engine or request is shown.
    const changes = new MutationObserver(() => mark(0));
    if (query !== '' && within.current) changes.observe(within.current, { childList: true, subtree: true });
    return () => changes.disconnect();
  }, [query]);
  return (
    <div class="search-field">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={query}
        onInput={({ currentTarget }) => onQuery(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || query === '') return;
          event.preventDefault();
          go(at + (event.shiftKey ? -1 : 1));
        }}
      />
      <span class="soft" aria-live="polite">
        {query === '' ? '' : found === 0 ? 'not found' : `${count(at + 1)} of ${count(found)}`}
      </span>
    </div>
  );
}
