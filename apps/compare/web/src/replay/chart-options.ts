import type uPlot from 'uplot';

export interface Line {
  readonly name: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  readonly values: readonly number[];
  readonly dashed: boolean;
}

/** A sudden fall of a line: where, from what, to what. */
export interface Mark {
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  readonly colour: string;
}

interface Wanted {
  readonly lines: readonly Line[];
  readonly limit: number | undefined;
  words(value: number): string;
  marks(): readonly Mark[];
  choose(turn: number): void;
}

const font = '12px "Inter Variable", system-ui, sans-serif';

/** How the charts look. Colours are read when they are made; another light makes them anew. */
export function chartOptions(
  element: Element,
  { lines, limit, words, marks, choose }: Wanted,
): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: colour('soft'),
    font,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false },
      y: { range: (_, __, highest) => [0, Math.max(highest, limit ?? 0, Number.MIN_VALUE) * 1.05] },
    },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 56, values: (_, splits) => splits.map(words) },
    ],
    series: [
      {},
      ...lines.map(
        (line): uPlot.Series => ({
          label: line.name,
          stroke: colour(line.colour),
          width: 2,
          ...(line.dashed ? { dash: [5, 4] } : {}),
          points: { show: false },
        }),
      ),
    ],
    hooks: {
      setCursor: [
        (plot) => {
          if (typeof plot.cursor.idx === 'number') choose(plot.cursor.idx);
        },
      ],
      draw: [
        (plot) => {
          if (limit !== undefined) drawLimit(plot, limit, colour('soft'));
          for (const mark of marks()) drawMark(plot, mark, colour(mark.colour));
        },
      ],
    },
  };
}

function drawLimit({ ctx, bbox, valToPos }: uPlot, limit: number, colour: string): void {
  const y = valToPos(limit, 'y', true);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

function drawMark({ ctx, valToPos }: uPlot, { turn, before, after }: Mark, colour: string): void {
  const x = valToPos(turn + 1, 'x', true);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([devicePixelRatio, 2 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, valToPos(before, 'y', true));
  ctx.lineTo(x, valToPos(after, 'y', true));
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, valToPos(after, 'y', true), 4 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}
