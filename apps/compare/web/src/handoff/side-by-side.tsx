import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../page.ts';
import { Scrolling } from '../scrolling.tsx';
import { selectionOf } from '../selection.ts';
import { questionOf } from '../store/state.ts';
import { useNewest } from '../store/use-newest.ts';
import { EngineHandoffs } from './engine-handoffs.tsx';
import { SearchField } from './search-field.tsx';

interface SideBySideProps {
  onMessage(index: number): void;
  onClose(): void;
}

/** The handoffs of all engines side by side, over the whole page. */
export function SideBySide({ onMessage, onClose }: SideBySideProps): JSX.Element {
  const { state, engines } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const documents = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const of = { query, selected: selectionOf(state.selection).index, onMessage };
  return (
    <dialog ref={dialog} class="side-by-side" aria-label="Handoffs side by side" onClose={onClose}>
      <header class="handoff-bar">
        <SearchField label="Search all handoffs" query={query} within={documents} onQuery={setQuery} />
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div ref={documents} class="columns">
        {engines.map(([engine]) => (
          <Column key={engine} engine={engine} {...of} />
        ))}
      </div>
    </dialog>
  );
}

interface ColumnProps {
  readonly engine: string;
  readonly query: string;
  readonly selected: number;
  onMessage(index: number): void;
}

function Column({ engine, ...of }: ColumnProps): JSX.Element {
  const { store, state } = usePage();
  const written = useNewest(questionOf(state, engine), () => store.handoffs(engine));
  return (
    <Scrolling label={`The handoff of ${engine}`} className="handoff-documents">
      <h3>{engine}</h3>
      {written && <EngineHandoffs engine={engine} written={written} {...of} />}
    </Scrolling>
  );
}
