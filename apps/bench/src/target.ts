/** Something that was promised, and what was measured of it in this run. */
export interface Target {
  /** What it is about: the package, or the chapter. */
  readonly of: string;
  readonly what: string;
  /** Such as `<= 10 ms`. */
  readonly promised: string;
  readonly measured: string;
  readonly met: boolean;
}

type Write = (value: number) => string;

/** A target that is met by a value up to a limit. */
export const atMost = (of: string, what: string, limit: number, value: number, write: Write = String): Target => ({
  of,
  what,
  promised: `<= ${write(limit)}`,
  measured: write(value),
  met: value <= limit,
});

/** A target that is met by a value from a limit on. */
export const atLeast = (of: string, what: string, limit: number, value: number, write: Write = String): Target => ({
  of,
  what,
  promised: `>= ${write(limit)}`,
  measured: write(value),
  met: value >= limit,
});

/** Writes values with so many digits behind the point, and a unit. */
export const inUnit =
  (digits: number, unit = ''): Write =>
  (value) =>
    `${value.toFixed(digits)}${unit && ` ${unit}`}`;

/** Writes shares as percentages. */
export const inPercent: Write = (value) => `${(value * 100).toFixed(1)} %`;

/** The table at the top of the report: what was not met comes first. */
export function targetTable(targets: readonly Target[]): string {
  const missed = targets.filter(({ met }) => !met);
  const row = ({ of, what, promised, measured, met }: Target): string =>
    `| ${met ? 'met' : '**not met**'} | ${of} | ${what} | ${promised} | ${measured} |`;
  return [
    `${targets.length - missed.length} of ${targets.length} met${missed.length > 0 ? '; those that are not, first' : ''}. All are of this run, on this machine.`,
    '',
    '| | of | what | promised | measured |',
    '|---|---|---|--:|--:|',
    ...[...missed, ...targets.filter(({ met }) => met)].map(row),
  ].join('\n');
}
