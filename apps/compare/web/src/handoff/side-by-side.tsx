import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Scrolling } from '../scrolling.tsx';
import { selected } from '../selection.ts';
import { questionOf, type StoreState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { useNewest } from '../store/use-newest.ts';
import { EngineHandoffs } from './engine-handoffs.tsx';
import { SearchField } from './search-field.tsx';

interface SideBySideProps {
  readonly store: Store;
  readonly state: StoreState;
  readonly engines: readonly string[];
  onMessage(index: number): void;
  onClose(): void;
}

/** The handoffs of all engines side by side, over the whole page. */
export function SideBySide({ store, state, engines, onMessage, onClose }: SideBySideProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const documents = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const of = { query, selected: selected(state.selection).index, onMessage };
  return (
    <dialog ref={dialog} class="side-by-side" aria-label="Handoffs side by side" onClose={onClose}>
      <header class="handoff-bar">
        <SearchField label="Search all handoffs" query={query} within={documents} onQuery={setQuery} />
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div ref={documents} class="columns">
        {engines.map((engine) => (
          <Column key={engine} store={store} state={state} engine={engine} {...of} />
        ))}
      </div>
    </dialog>
  );
}

interface ColumnProps {
  readonly store: Store;
  readonly state: StoreState;
  readonly engine: string;
  readonly query: string;
  readonly selected: number;
  onMessage(index: number): void;
}

function Column({ store, state, engine, ...of }: ColumnProps): JSX.Element {
  const written = useNewest(questionOf(state, engine), () => store.handoffs(engine));
  return (
    <Scrolling label={`The handoff of ${engine}`} className="handoff-documents">
      <h3>{engine}</h3>
      {written && <EngineHandoffs engine={engine} written={written} {...of} />}
    </Scrolling>
  );
}
