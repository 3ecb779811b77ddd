import { count, counted } from '@palimpsest/command-line/count';
import { outcomeWords } from '@palimpsest/comparison/strip-blocks';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { EngineCard } from './engine-card.tsx';
import { type Selection, selected } from './selection.ts';
import type { Store, StoreState } from './store/store.ts';
import { Legend } from './strip/legend.tsx';
import { Strip } from './strip/strip.tsx';
import { roleWords, sourceWords } from './words.ts';
import type { Opened } from './worker/reader.ts';

interface ResultsProps {
  readonly store: Store;
  readonly state: StoreState;
  readonly opened: Opened;
  readonly engines: readonly (readonly [engine: string, place: string])[];
}

/** The transcript, and each engine's result. */
export function Results({ store, state, opened, engines }: ResultsProps): JSX.Element {
  const { blocks } = opened;
  const total = useMemo(() => blocks.reduce((sum, { tokens }) => sum + tokens, 0), [blocks]);
  const selection = selected(state.selection);
  const look = (next: Selection, chosen: boolean): void => store.select(next, chosen);
  const words = (index: number): string => sourceWords(blocks, index);
  return (
    <section class="results" aria-label="Comparison" inert={state.reading}>
      <article class="engine before">
        <header>
          <h2>Before</h2>
          <p class="headline">
            <span class="after">{count(opened.promptTokens)}</span> tokens in {counted(blocks.length, 'message')}
          </p>
        </header>
        <Strip
          label="Every message before, by role"
          kind="source"
          blocks={blocks}
          scale={total}
          selected={selection.index}
          words={words}
          onLook={(index, chosen) => look({ index, written: null }, chosen)}
          onLeave={store.leave}
        />
        <Legend entries={Object.entries(roleWords).filter(([look]) => look !== 'inserted')} />
      </article>
      {engines.map(([engine, place]) => (
        <EngineCard
          key={engine}
          engine={engine}
          place={place}
          answers={state.answers[engine]!}
          stale={state.answers[engine]?.of !== state.settings || state.answers[engine]?.turn !== state.turn}
          selection={selection}
          sourceWords={words}
          onLook={look}
          onLeave={store.leave}
        />
      ))}
      {engines.length > 0 ? (
        <Legend entries={[...Object.entries(outcomeWords), ['inserted', roleWords.inserted]]} />
      ) : (
        <p class="soft">No engine is selected above.</p>
      )}
    </section>
  );
}
