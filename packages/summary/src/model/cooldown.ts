import type { Failure, FailureClass } from './failure-class.ts';

/** Milliseconds until automatic model calls are tried again, by class; the transient ones climb a ladder. */
const fixed: Readonly<Record<Exclude<FailureClass, 'transient'>, number>> = {
  access: 600_000,
  network: 60_000,
  'missing-model': 600_000,
  'bad-output': 30_000,
  overflow: 60_000,
  unknown: 60_000,
  cancelled: 0,
};
const closedStream = 30_000;
const ladder: readonly number[] = [60_000, 300_000, 900_000];

/**
 * How long automatic model calls pause after a failure: one figure, or a ladder for failures in a row. A provider's own
 * `retry-after` lengthens the steps of a ladder, up to its top.
 */
export function cooldownMs(failure: Failure): number | readonly number[] {
  if (failure.class !== 'transient') return failure.closedStream ? closedStream : fixed[failure.class];
  const asked = Math.min(failure.retryAfterMs, ladder.at(-1)!);
  return ladder.map((step) => Math.max(step, asked));
}
