import { count, formatCount } from '@palimpsest/command-line/count';
import { dollars } from 'palimpsest/printing/dollars';
import { replayCost } from 'palimpsest/replay/replay-cost';
import { overWindow } from 'palimpsest/replay/replay-figures';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { EngineCard } from './engine-card.tsx';
import { usePage } from './page.ts';
import { Scrubber } from './replay/scrubber.tsx';
import { selectionOf } from './selection.ts';
import { Legend } from './strip/legend.tsx';
import { Strip } from './strip/strip.tsx';
import { ZoomButtons } from './strip/zoom-buttons.tsx';
import { roleWords, sourceWords, windowMark } from './words.ts';

/** The session, and what each engine makes of it, as strips. They show the prompts of one request. */
export function Results(): JSX.Element {
  const { store, state, opened, engines } = usePage();
  const { blocks, recorded, promptTokens } = opened;
  const total = useMemo(() => blocks.reduce((sum, { tokens }) => sum + tokens, 0), [blocks]);
  const selection = selectionOf(state.selection);
  const turn = state.turn ?? recorded.sent.length - 1;
  const cost = useMemo(() => replayCost(recorded, state.prices).cached, [recorded, state.prices]);
  const isTooLarge = overWindow(recorded, state.settings.windowTokens) > 0;
  const sent = (state.turn === null ? null : recorded.answeredBy[turn]) ?? blocks.length;
  const words = (index: number): string =>
    `${sourceWords(blocks, index)}${index < sent ? '' : `, after request ${count(turn + 1)}`}`;
  return (
    <section class="results" aria-label="Comparison" inert={state.reading}>
      <Scrubber />
      <article class="engine before">
        <header>
          <h2>Session</h2>
          <p class="headline">
            <span class="after">{count(promptTokens)}</span> tokens in {formatCount(blocks.length, 'message')}
            {state.turn !== null && `, ${count(sent)} of them so far`}
            <span class="soft">{`; ${dollars(cost[turn] ?? 0)} ${state.turn === null ? 'in all' : 'so far'}${isTooLarge ? ', if all fit' : ''}`}</span>
          </p>
          <ZoomButtons zoom={state.zoom} onZoom={store.zoom} />
        </header>
        <Strip
          label="Every message before, by role"
          caption="messages"
          kind="source"
          blocks={blocks}
          scale={total}
          mark={windowMark(state.settings)}
          zoom={state.zoom}
          sent={sent}
          selected={selection.index}
          words={words}
          onLook={(index, chosen) => store.select({ index, written: null }, chosen)}
          onLeave={store.leave}
          onZoom={store.zoom}
        />
        <Legend entries={Object.entries(roleWords).filter(([look]) => look !== 'inserted')} />
      </article>
      {engines.map(([engine, colour]) => (
        <EngineCard key={engine} engine={engine} colour={colour} scale={total} sourceWords={words} />
      ))}
      {engines.length === 0 && <p class="soft">No engine is selected above.</p>}
    </section>
  );
}
