import { count, formatCount } from '@palimpsest/command-line/count';
import { dollars } from 'palimpsest/printing/dollars';
import { tokenAmount } from 'palimpsest/printing/token-amount';
import { largestPrompt } from 'palimpsest/replay/replay-figures';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../page.ts';
import { Chart, type Line } from './chart.tsx';
import { PriceFields } from './price-fields.tsx';
import { type PricedReplay, priceReplay, shortDollars } from './priced-replay.ts';
import { ReplayTable } from './replay-table.tsx';

/** The session replayed request by request: prompt sizes and cumulative cost. */
export function ReplayPanel(): JSX.Element {
  const { store, state, opened, engines } = usePage();
  const { answers, settings, prices } = state;
  const values = engines.flatMap(([engine]) => answers[engine]?.replay ?? []);
  const replays = useMemo(
    () => [
      priceReplay('no compaction', 'recorded', opened.recorded, prices),
      ...engines.flatMap(([engine, colour]) => {
        const replay = answers[engine]?.replay;
        return replay ? [priceReplay(engine, colour, replay, prices)] : [];
      }),
    ],
    [opened, prices, ...values],
  );
  const sizes = useMemo(
    () => replays.map((priced) => lineOf(priced, priced.replay.sent, priced.colour === 'recorded')),
    [replays],
  );
  const costs = useMemo(
    () => replays.map((priced) => lineOf(priced, priced.cost.cached, priced.colour === 'recorded')),
    [replays],
  );
  const marks = useMemo(
    () => replays.flatMap(({ colour, replay }) => replay.compactions.map((compaction) => ({ ...compaction, colour }))),
    [replays],
  );
  const turns = opened.recorded.sent.length;
  const turn = state.turn ?? turns - 1;
  return (
    <section class="replay" aria-label="Replay">
      <h2>The same session, request by request</h2>
      <p class="soft">
        Before each request the engine may compact the prompt, as in an agent’s loop. A triangle marks a compaction, the
        dotted line the window. Click a chart to choose its request.
      </p>
      <div class="charts">
        <Chart
          title="Prompt size, tokens"
          summary={sizeSummary(replays)}
          lines={sizes}
          marks={marks}
          limit={settings.windowTokens}
          turn={turn}
          words={shortAmount}
          onTurn={store.showRequest}
        />
        <Chart
          title="Cost so far, with a prompt cache"
          summary={costSummary(replays)}
          lines={costs}
          turn={turn}
          words={shortDollars}
          onTurn={store.showRequest}
        />
      </div>
      <ReplayTable replays={replays} turn={turn} windowTokens={settings.windowTokens} />
      <PriceFields prices={prices} onChange={store.setPrices} />
    </section>
  );
}

function lineOf({ name, colour }: PricedReplay, values: readonly number[], dashed: boolean): Line {
  return { name, colour, values, dashed };
}

function shortAmount(tokens: number): string {
  return tokens >= 1000 ? tokenAmount(Math.round(tokens / 1000) * 1000) : count(tokens);
}

function sizeSummary(replays: readonly PricedReplay[]): string {
  const texts = replays.map(
    ({ name, replay }) =>
      `${name}: at most ${count(largestPrompt(replay))}, at the end ${count(replay.sent.at(-1) ?? 0)} tokens, ${formatCount(replay.compactions.length, 'compaction')}`,
  );
  return `Prompt size over the session. ${texts.join('. ')}. The table below has the figures.`;
}

function costSummary(replays: readonly PricedReplay[]): string {
  const texts = replays.map(({ name, cost }) => `${name}: ${dollars(cost.cached.at(-1) ?? 0)}`);
  return `Cost over the session, with a cache. ${texts.join('. ')}. The table below has the figures.`;
}
