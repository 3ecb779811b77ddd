import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useSize } from '../use-size.ts';

/** A line of a chart, with one value for each request. */
export interface Line {
  readonly name: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  readonly values: readonly number[];
  readonly dashed: boolean;
}

/** A compaction mark: the request, and the prompt size before and after. */
interface Mark {
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  readonly colour: string;
}

interface ChartProps {
  readonly title: string;
  /** Text alternative for screen readers. */
  readonly summary: string;
  readonly lines: readonly Line[];
  readonly marks?: readonly Mark[];
  /** Value of a limit, drawn as a dotted line. */
  readonly limit?: number;
  readonly turn: number;
  words(value: number): string;
  onTurn(turn: number): void;
}

const height = 220;
const none: NonNullable<ChartProps['marks']> = [];
/** Room for the axes, and for the names of the lines, in CSS pixels. */
const room = { left: 56, right: 106, top: 12, bottom: 26 } as const;
/** Least distance between two names. */
const apart = 14;

/** A line chart over the requests of a session. A click selects the request that the page shows. */
export function Chart({ title, summary, lines, marks = none, limit, turn, words, onTurn }: ChartProps): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const { width } = useSize(holder);
  const last = Math.max(...lines.map(({ values }) => values.length), 1) - 1;
  const top = useMemo(() => topOf(lines, limit) * 1.05, [lines, limit]);
  const right = Math.max(width - room.right, room.left + 1);
  const x = (at: number): number => room.left + (at / Math.max(last, 1)) * (right - room.left);
  const y = (value: number): number => height - room.bottom - (value / top) * (height - room.bottom - room.top);
  const choose = ({ buttons, clientX, currentTarget }: PointerEvent): void => {
    if (buttons !== 1) return;
    const share = (clientX - (currentTarget as Element).getBoundingClientRect().left - room.left) / (right - room.left);
    const at = Math.round(Math.min(Math.max(share, 0), 1) * last);
    if (at !== turn) onTurn(at);
  };
  // The same elements as long as the data are the same: the page is rendered with each movement of the pointer.
  const drawn = useMemo(
    () => (
      <>
        {ticks(top, 5).map((value) => (
          <g key={value}>
            <line class="grid" x1={room.left} x2={right} y1={y(value)} y2={y(value)} />
            <text x={room.left - 8} y={y(value)} text-anchor="end" dominant-baseline="middle">
              {words(value)}
            </text>
          </g>
        ))}
        {ticks(last + 1, 8, 1).map((number) => (
          <text key={number} x={x(number - 1)} y={height - 8} text-anchor="middle">
            {number}
          </text>
        ))}
        {limit !== undefined && <line class="limit" x1={room.left} x2={right} y1={y(limit)} y2={y(limit)} />}
        {lines.map(({ name, colour, values, dashed }) => (
          <polyline
            key={name}
            class={dashed ? 'dashed' : ''}
            stroke={`var(--${colour})`}
            points={values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
          />
        ))}
        {marks.map(({ turn: at, before, after, colour }) => (
          <g key={`${at} ${colour}`} stroke={`var(--${colour})`} fill={`var(--${colour})`}>
            <line class="limit" x1={x(at)} x2={x(at)} y1={y(before)} y2={y(after)} />
            <path d={`M${x(at) - 5} ${y(before) - 10}h10l-5 10z`} />
          </g>
        ))}
        {namesOf(lines, y).map(({ name, colour, at }) => (
          <text key={name} x={right + 10} y={at} fill={`var(--${colour})`} dominant-baseline="middle">
            {name}
          </text>
        ))}
      </>
    ),
    [lines, marks, limit, width],
  );
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={holder} class="plot">
        {width > 0 && (
          <svg
            role="img"
            aria-label={summary}
            width={width}
            height={height}
            onPointerDown={choose}
            onPointerMove={choose}
          >
            {drawn}
            <line class="cursor" x1={x(turn)} x2={x(turn)} y1={room.top} y2={height - room.bottom} />
            {lines.map(({ name, colour, values }) => (
              <circle key={name} r={4} cx={x(turn)} cy={y(values[turn] ?? 0)} stroke={`var(--${colour})`} />
            ))}
          </svg>
        )}
      </div>
    </figure>
  );
}

/** Upper end of the y axis. With a limit, a dashed line may exceed it, so that the other lines stay readable. */
function topOf(lines: readonly Line[], limit = 0): number {
  const highest = (some: readonly Line[]): number =>
    some.reduce((most, { values }) => values.reduce((high, value) => Math.max(high, value), most), limit);
  const solid = highest(lines.filter(({ dashed }) => !dashed));
  const top = limit > 0 ? Math.min(highest(lines), Math.max(limit * 1.5, solid)) : highest(lines);
  return Math.max(top, Number.EPSILON);
}

/** Round numbers from 0 to an end. @param maxSteps maximum number of steps @param minStep smallest step */
function ticks(end: number, maxSteps: number, minStep = 0): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(end / maxSteps));
  const step = Math.max([1, 2, 5, 10].map((factor) => factor * power).find((size) => end / size <= maxSteps)!, minStep);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, at) => at * step).filter((value) => value >= minStep);
}

/** Places the name of each line next to its end, apart from the others. */
function namesOf(
  lines: readonly Line[],
  y: (value: number) => number,
): readonly { readonly name: string; readonly colour: string; readonly at: number }[] {
  const ends = lines.map(({ name, colour, values }) => ({
    name,
    colour,
    at: Math.max(y(values.at(-1) ?? 0), room.top),
  }));
  ends.sort((a, b) => a.at - b.at);
  for (const [index, end] of ends.entries()) if (index > 0) end.at = Math.max(end.at, ends[index - 1]!.at + apart);
  return ends;
}
