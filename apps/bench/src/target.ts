/** A target and the value measured in this run. */
export interface Target {
  /** Package or section the target belongs to. */
  readonly area: string;
  readonly metric: string;
  /** Such as `<= 10 ms`. */
  readonly required: string;
  readonly measured: string;
  readonly met: boolean;
  /** The best that any solution could reach, in words; computed in the same run. @default not known */
  readonly possible?: string | undefined;
  /** A miss fails the run: always, or only a full one, whose inputs are large enough. @default a miss is only reported */
  readonly fails?: 'always' | 'in full' | undefined;
}

/** A target whose miss fails the run. */
export const failing = (target: Target, fails: 'always' | 'in full' = 'always'): Target => ({ ...target, fails });

/** Describes the missed targets that fail a run. */
export const failures = (targets: readonly Target[], quick: boolean): string[] =>
  targets
    .filter(({ fails, met }) => !met && (fails === 'always' || (fails === 'in full' && !quick)))
    .map(({ metric, required, measured }) => `${metric}: ${measured}, not ${required}`);

type Format = (value: number) => string;

type Limited = (area: string, metric: string, limit: number, value: number, format?: Format) => Target;

const createLimit =
  (sign: '<=' | '>='): Limited =>
  (area, metric, limit, value, format = String) => ({
    area,
    metric,
    required: `${sign} ${format(limit)}`,
    measured: format(value),
    met: sign === '<=' ? value <= limit : value >= limit,
  });

/** Creates a target that is met if the value is at most the limit. */
export const atMost: Limited = createLimit('<=');

/** Creates a target that is met if the value is at least the limit. */
export const atLeast: Limited = createLimit('>=');

/** Returns a formatter with a fixed number of decimals and an optional unit. */
export const inUnit =
  (digits: number, unit = ''): Format =>
  (value) =>
    `${value.toFixed(digits)}${unit && ` ${unit}`}`;

/** Formats a share (0 to 1) as a percentage. */
export const inPercent: Format = (value) => `${(value * 100).toFixed(1)} %`;
