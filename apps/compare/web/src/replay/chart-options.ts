import type uPlot from 'uplot';
import type { Colours } from '../use-colours.ts';

/** A line of a chart, with one value for each request. */
export interface Line {
  readonly name: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  readonly values: readonly number[];
  readonly dashed: boolean;
}

/** A compaction mark: the request, and the prompt size before and after. */
export interface Mark {
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  readonly colour: string;
}

/** What is drawn over the lines. */
export interface Drawn {
  readonly marks: readonly Mark[];
  /** Value of the limit line. */
  readonly limit: number | undefined;
  /** Upper end of the y axis. */
  readonly top: number;
}

interface Wanted {
  readonly lines: readonly Line[];
  words(value: number): string;
  /** Values that change with the lines; called on each draw. */
  drawn(): Drawn;
}

/** Tick steps of the x axis: request numbers are integers. */
const wholeSteps = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Room for the names of the lines, in CSS pixels. */
const nameWidth = 106;

const font = '12px "Inter Variable", system-ui, sans-serif';

/** The chart's cursor is the request shown. It does not follow the pointer. */
const none = (): null => null;

/** uPlot options shared by all charts. */
export function chartOptions(
  colours: Colours,
  { lines, words, drawn }: Wanted,
): Omit<uPlot.Options, 'width' | 'height'> {
  const axis: uPlot.Axis = {
    stroke: colours('soft'),
    font,
    grid: { stroke: colours('line'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  return {
    legend: { show: false },
    padding: [null, nameWidth, null, null],
    // Hollow, so that the selected request is not mistaken for a compaction.
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 8, width: 2, fill: colours('paper') },
      bind: {
        mousedown: none,
        mouseup: none,
        click: none,
        dblclick: none,
        mousemove: none,
        mouseleave: none,
        mouseenter: none,
      },
    },
    scales: {
      x: { time: false },
      y: { range: () => [0, Math.max(drawn().top, Number.MIN_VALUE) * 1.05] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 26, incrs: wholeSteps },
      { ...axis, size: 56, values: (_, splits) => splits.map(words) },
    ],
    series: [
      {},
      ...lines.map(
        (line): uPlot.Series => ({
          label: line.name,
          stroke: colours(line.colour),
          width: 2,
          ...(line.dashed ? { dash: [5, 4] } : {}),
          points: { show: false },
        }),
      ),
    ],
    hooks: {
      draw: [
        (plot) => {
          const { marks, limit } = drawn();
          if (limit !== undefined) drawLimit(plot, limit, colours('soft'));
          for (const mark of marks) drawMark(plot, mark, colours(mark.colour));
          drawNames(plot, lines, colours);
        },
      ],
    },
  };
}

/** Writes the name of each line beside its end, apart from the others. */
function drawNames({ ctx, bbox, data, valToPos }: uPlot, lines: readonly Line[], colours: Colours): void {
  const apart = 14 * devicePixelRatio;
  const ends = lines.map(({ name, colour }, at) => ({
    name,
    colour,
    y: valToPos(data[at + 1]?.at(-1) ?? 0, 'y', true),
  }));
  ends.sort((a, b) => a.y - b.y);
  ctx.save();
  ctx.font = font.replace('12px', `${12 * devicePixelRatio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  let above = Number.NEGATIVE_INFINITY;
  for (const { name, colour, y } of ends) {
    above = Math.max(y, above + apart);
    ctx.fillStyle = colours(colour);
    ctx.fillText(name, bbox.left + bbox.width + 10 * devicePixelRatio, above);
  }
  ctx.restore();
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
  const top = valToPos(before, 'y', true);
  const half = 5 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x - half, top - 2 * half);
  ctx.lineTo(x + half, top - 2 * half);
  ctx.lineTo(x, top);
  ctx.fill();
  ctx.restore();
}
