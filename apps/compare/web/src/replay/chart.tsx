import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { useColours } from '../use-colours.ts';
import { useLatest } from '../use-latest.ts';
import { useSize } from '../use-size.ts';
import { chartOptions, type Drawn, type Line, type Mark } from './chart-options.ts';

interface ChartProps {
  readonly title: string;
  /** Text alternative for screen readers. */
  readonly summary: string;
  readonly lines: readonly Line[];
  readonly marks?: readonly Mark[];
  /** Value of a limit, drawn as a dashed line. */
  readonly limit?: number;
  readonly turn: number;
  words(value: number): string;
  onTurn(turn: number): void;
}

const height = 220;

/** A line chart over the requests of a session. A click selects the request that the page shows. */
export function Chart({ title, summary, lines, marks = [], limit, turn, words, onTurn }: ChartProps): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { width } = useSize(holder);
  const colours = useColours();
  const top = useMemo(() => topOf(lines, limit), [lines, limit]);
  const drawn = useLatest<Drawn>({ marks, limit, top });
  const chosen = useLatest(turn);
  const shape = `${lines.map(({ name, dashed }) => `${name} ${dashed}`).join()}`;

  useLayoutEffect(() => {
    const element = holder.current;
    if (!element || width === 0) return;
    const choose = (index: number): void => {
      if (index !== chosen.current) onTurn(index);
    };
    const options = chartOptions(colours, { lines, words, drawn: () => drawn.current });
    const made = new uPlot({ ...options, width, height }, dataOf(lines), element);
    plot.current = made;
    const point = (event: PointerEvent): void => {
      if (event.buttons === 1) choose(made.posToIdx(event.offsetX));
    };
    made.over.addEventListener('pointerdown', point);
    made.over.addEventListener('pointermove', point);
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [shape, colours, width === 0]);
  useLayoutEffect(() => plot.current?.setData(dataOf(lines)), [lines, limit]);
  useLayoutEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height });
  }, [width]);
  useLayoutEffect(() => {
    const { current } = plot;
    if (current) current.setCursor({ left: current.valToPos(turn + 1, 'x'), top: 0 }, false);
  }, [turn, lines, limit, shape, colours, width]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={holder} class="plot" role="img" aria-label={summary} />
    </figure>
  );
}

/** Upper end of the y axis. With a limit, a dashed line may exceed it, so that the other lines stay readable. */
function topOf(lines: readonly Line[], limit = 0): number {
  const highest = (some: readonly Line[]): number =>
    some.reduce((most, { values }) => values.reduce((high, value) => Math.max(high, value), most), limit);
  const solid = highest(lines.filter(({ dashed }) => !dashed));
  return limit > 0 ? Math.min(highest(lines), Math.max(limit * 1.5, solid)) : highest(lines);
}

function dataOf(lines: readonly Line[]): uPlot.AlignedData {
  const length = Math.max(...lines.map(({ values }) => values.length), 0);
  return [Array.from({ length }, (_, index) => index + 1), ...lines.map(({ values }) => [...values])];
}
