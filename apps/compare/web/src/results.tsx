import { count, counted } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { EngineCard } from './engine-card.tsx';
import type { ColouredEngine } from './engine-colours.ts';
import { EngineFigures } from './engine-figures.tsx';
import { Scrubber } from './replay/scrubber.tsx';
import { type Selection, selected } from './selection.ts';
import type { StoreState } from './store/state.ts';
import type { Store } from './store/store.ts';
import { Legend } from './strip/legend.tsx';
import { Strip } from './strip/strip.tsx';
import { ZoomButtons } from './strip/zoom-buttons.tsx';
import { roleWords, sourceWords } from './words.ts';
import type { Opened } from './worker/reader.ts';

interface ResultsProps {
  readonly store: Store;
  readonly state: StoreState;
  readonly opened: Opened;
  readonly engines: readonly ColouredEngine[];
}

/** The session, and what each engine makes of it, as strips. They show the prompts of one request. */
export function Results({ store, state, opened, engines }: ResultsProps): JSX.Element {
  const { blocks, recorded, promptTokens } = opened;
  const total = useMemo(() => blocks.reduce((sum, { tokens }) => sum + tokens, 0), [blocks]);
  const selection = selected(state.selection);
  const look = (next: Selection, chosen: boolean): void => store.select(next, chosen);
  const turn = state.turn ?? recorded.sent.length - 1;
  const sent = recorded.answeredBy[turn] ?? blocks.length;
  const words = (index: number): string =>
    `${sourceWords(blocks, index)}${index < sent ? '' : `, after request ${count(turn + 1)}`}`;
  return (
    <section class="results" aria-label="Comparison" inert={state.reading}>
      <Scrubber store={store} state={state} opened={opened} />
      <article class="engine before">
        <header>
          <h2>Session</h2>
          <p class="headline">
            <span class="after">{count(promptTokens)}</span> tokens in {counted(blocks.length, 'message')}
            {state.turn !== null && `, ${count(sent)} of them so far`}
          </p>
          <ZoomButtons zoom={state.zoom} onZoom={store.zoom} />
        </header>
        <Strip
          label="Every message before, by role"
          caption="messages"
          kind="source"
          blocks={blocks}
          scale={total}
          zoom={state.zoom}
          sent={sent}
          selected={selection.index}
          words={words}
          onLook={(index, chosen) => look({ index, written: null }, chosen)}
          onLeave={store.leave}
          onZoom={store.zoom}
        />
        <Legend entries={Object.entries(roleWords).filter(([look]) => look !== 'inserted')} />
      </article>
      {engines.map(([engine, colour]) => (
        <EngineCard
          key={engine}
          engine={engine}
          colour={colour}
          state={state}
          opened={opened}
          selection={selection}
          scale={total}
          sourceWords={words}
          onLook={look}
          onLeave={store.leave}
          onZoom={store.zoom}
        />
      ))}
      <EngineFigures rows={engines.flatMap(([engine]) => state.answers[engine]!.row ?? [])} />
      {engines.length === 0 && <p class="soft">No engine is selected above.</p>}
    </section>
  );
}
