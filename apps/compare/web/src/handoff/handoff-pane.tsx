import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../copy-button.tsx';
import { usePage } from '../page.ts';
import { selectionOf } from '../selection.ts';
import { type HandoffPlace, questionOf } from '../store/state.ts';
import { useNewest } from '../store/use-newest.ts';
import { EngineHandoffs } from './engine-handoffs.tsx';
import { revealLine } from './reveal.ts';
import { SearchField } from './search-field.tsx';
import { SideBySide } from './side-by-side.tsx';

/** The handoffs of one engine at a time as documents, with a search field. */
export function HandoffPane(): JSX.Element {
  const { store, state, engines: shown } = usePage();
  const engines = shown.map(([name]) => name);
  const { place } = state;
  const [wanted, setWanted] = useState(place?.engine ?? null);
  const [query, setQuery] = useState('');
  const [isWide, setWide] = useState(false);
  const documents = useRef<HTMLDivElement>(null);
  // A link leads to its line once, not again when the handoff changes.
  const revealed = useRef<HandoffPlace | null>(null);
  const engine = engines.find((name) => name === wanted) ?? engines[0] ?? null;
  const question = engine === null ? null : questionOf(state, engine);
  const written = useNewest(question, () => store.handoffs(engine!));
  const read = (index: number): void => {
    setWide(false);
    store.select({ index, written: null }, true);
    store.showTab('message');
  };
  useEffect(() => {
    if (!place || place === revealed.current || place.engine !== engine || !written || !documents.current) return;
    revealed.current = place;
    revealLine(documents.current, place);
  }, [place, engine, written]);
  const of = { query, selected: selectionOf(state.selection).index, onMessage: read };
  return (
    <section class="handoff-pane" aria-label="The handoff">
      <header class="handoff-tools">
        <div class="handoff-bar">
          <select
            aria-label="Engine"
            value={engine ?? ''}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          >
            {engines.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <CopyButton text={written?.handoffs.map(({ text }) => text).join('\n\n') ?? ''} />
          {engines.length > 1 && (
            <button type="button" class="button" onClick={() => setWide(true)}>
              Side by side
            </button>
          )}
        </div>
        <SearchField label="Search the handoff" query={query} within={documents} onQuery={setQuery} />
      </header>
      <div ref={documents} class="handoff-documents">
        {engine !== null && written && <EngineHandoffs engine={engine} written={written} {...of} />}
        {engine === null && <p class="soft">No engine is selected above.</p>}
      </div>
      {isWide && <SideBySide onMessage={read} onClose={() => setWide(false)} />}
    </section>
  );
}
