import { count, formatCount } from '@palimpsest/command-line/count';
import { remarksOn } from 'palimpsest/comparison/remarks';
import { dollars } from 'palimpsest/printing/dollars';
import { replayCost } from 'palimpsest/replay/replay-cost';
import { outcomeWords } from 'palimpsest/strips/strip-blocks';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type ColouredEngine, usePage } from './page.ts';
import { selectionOf } from './selection.ts';
import type { StoreState } from './store/state.ts';
import { Legend, type LegendEntry } from './strip/legend.tsx';
import { Strip } from './strip/strip.tsx';
import { Term } from './term.tsx';
import { outcomeOf, outputWords, windowMark } from './words.ts';
import type { EngineView } from './worker/runner.ts';

interface EngineCardProps {
  readonly engine: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  /** Tokens of the whole session, the width of the strips. */
  readonly scale: number;
  sourceWords(index: number): string;
}

/** One engine at one request: its prompt, the outcome of every message so far, and its figures. */
export function EngineCard(props: EngineCardProps): JSX.Element {
  const { engine, colour } = props;
  const { state } = usePage();
  const { view, row, problem, of } = state.answers[engine]!;
  const badges = useBadges(engine);
  return (
    <article
      class={`engine ${colour}`}
      aria-labelledby={`engine-${engine}`}
      aria-busy={of !== state.settings}
      data-engine={engine}
    >
      <header>
        <h3 id={`engine-${engine}`}>{engine}</h3>
        <Headline engine={engine} />
        {badges.map((badge) => (
          <span class="badge" key={badge}>
            {badge}
          </span>
        ))}
      </header>
      {problem !== null && <p class="problem">{`${engine} could not be run: ${problem}`}</p>}
      {view && <EngineStrips {...props} view={view} />}
      {row && remarksOn(row).map((remark) => <p class="remark">{remark}</p>)}
    </article>
  );
}

/** What the engine is ahead of all others in. */
function useBadges(engine: string): readonly string[] {
  const { state, engines } = usePage();
  const { answers, prices } = state;
  return useMemo(() => badgesOf(engine, engines, answers, prices), [engine, engines.length, answers, prices]);
}

function badgesOf(
  engine: string,
  engines: readonly ColouredEngine[],
  answers: StoreState['answers'],
  prices: StoreState['prices'],
): readonly string[] {
  const others = engines.flatMap(([name]) => (name === engine ? [] : [name]));
  if (others.length === 0) return [];
  const names = (name: string): number => answers[name]?.row?.kept.names.kept ?? 0;
  const isWhole = names(engine) === answers[engine]?.row?.kept.names.of;
  const cost = (name: string): number => {
    const { replay } = answers[name]!;
    return (replay && replayCost(replay, prices).cached.at(-1)) ?? Number.POSITIVE_INFINITY;
  };
  return [
    ...(others.every((other) => cost(engine) < cost(other)) ? ['cheapest'] : []),
    ...(others.every((other) => names(engine) > names(other))
      ? [isWhole ? 'keeps all names' : 'keeps the most names']
      : []),
  ];
}

/** The prompt at the request shown, in comparison with the session as recorded. */
function Headline({ engine }: { readonly engine: string }): JSX.Element | null {
  const { state, opened } = usePage();
  const { replay, row, turn } = state.answers[engine]!;
  const cost = useMemo(() => (replay ? replayCost(replay, state.prices).cached : []), [replay, state.prices]);
  const whole = useMemo(() => replayCost(opened.recorded, state.prices).cached, [opened.recorded, state.prices]);
  if (!replay) return null;
  const at = turn ?? replay.sent.length - 1;
  const isEnd = turn === null && row;
  const tokens = isEnd ? row.tokensAfter : Math.round(replay.sent[at] ?? 0);
  const recorded = isEnd ? row.tokensBefore : Math.round(opened.recorded.sent[at] ?? 0);
  const saved = recorded > 0 ? ((recorded - tokens) / recorded) * 100 : 0;
  const compactions = replay.compactions.filter((compaction) => compaction.turn <= at).length;
  const paid = cost[at] ?? 0;
  const uncompacted = whole[at] ?? 0;
  const less = uncompacted > 0 ? Math.round((1 - paid / uncompacted) * 100) : 0;
  return (
    <p class="headline">
      <span class="after">{count(tokens)}</span> tokens left
      <span class="saved">{saved > 0 ? `, ${saved.toFixed(0)} % fewer` : ''}</span>
      <span class="soft">{`; ${dollars(paid)} ${turn === null ? 'in all' : 'so far'}`}</span>
      <span class="saved">{less > 0 ? `, ${less} % less` : ''}</span>
      <span class="soft compactions">{`; ${compactions === 0 ? 'not compacted yet' : formatCount(compactions, 'compaction')}`}</span>
    </p>
  );
}

function EngineStrips({
  engine,
  view,
  scale,
  sourceWords,
}: EngineCardProps & { readonly view: EngineView }): JSX.Element {
  const { store, state } = usePage();
  const { index, written } = selectionOf(state.selection);
  const inOutput = written?.engine === engine ? written.at : (view.outcomes[index]?.at ?? null);
  const entries = useMemo(() => countOutcomes(view), [view]);
  return (
    <>
      <Strip
        label={`${engine}: the outcome of every message`}
        caption="messages"
        kind="outcome"
        blocks={view.outcomes}
        scale={scale}
        zoom={state.zoom}
        selected={index}
        words={(at) => `${sourceWords(at)}, ${outcomeOf(view, at)}`}
        onLook={(at, chosen) => store.select({ index: at, written: null }, chosen)}
        onLeave={store.leave}
        onZoom={store.zoom}
      />
      <Strip
        label={`${engine}: what is left`}
        caption="prompt sent"
        kind="output"
        blocks={view.output}
        scale={scale}
        mark={windowMark(state.settings)}
        zoom={state.zoom}
        selected={inOutput}
        words={(at) => outputWords(view, at)}
        onLook={(at, chosen) => {
          const block = view.output[at]!;
          store.select({ index: block.from, written: block.look === 'inserted' ? { engine, at } : null }, chosen);
        }}
        onLeave={store.leave}
        onZoom={store.zoom}
      />
      <Legend entries={entries} />
    </>
  );
}

/** The legend of an engine's strips: how many messages have each outcome. */
function countOutcomes({ outcomes, output }: EngineView): readonly LegendEntry[] {
  const entries = Object.entries(outcomeWords).flatMap(([look, words]): readonly LegendEntry[] => {
    const number = outcomes.filter((block) => block.look === look).length;
    return number > 0 ? [[look, `${count(number)} ${words}`] as const] : [];
  });
  const handoffs = output.filter(({ look }) => look === 'inserted');
  const tokens = handoffs.reduce((sum, block) => sum + block.tokens, 0);
  if (handoffs.length === 0) return entries;
  const words = (
    <span>
      <Term name="handoff" />, {count(tokens)} tokens
    </span>
  );
  return [...entries, ['inserted', words]];
}
