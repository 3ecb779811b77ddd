import type { SummaryFailure, SummaryFailureClass } from './summary-failure.ts';

/** Cooldown by class, in milliseconds. The cooldown of transient failures grows with each failure in a row. */
const fixed: Readonly<Record<Exclude<SummaryFailureClass, 'transient'>, number>> = {
  access: 600_000,
  network: 60_000,
  'missing-model': 600_000,
  'bad-output': 30_000,
  overflow: 60_000,
  unknown: 60_000,
  cancelled: 0,
};
const closedStream = 30_000;
const steps: readonly number[] = [60_000, 300_000, 900_000];

/**
 * How long automatic model calls pause after a failure, in milliseconds: one figure, or one per failure in a row. The
 * provider's `retry-after` raises the steps, up to the last one.
 */
export function cooldownMs(failure: SummaryFailure): number | readonly number[] {
  if (failure.class !== 'transient') return failure.closedStream ? closedStream : fixed[failure.class];
  const asked = Math.min(failure.retryAfterMs, steps.at(-1)!);
  return steps.map((step) => Math.max(step, asked));
}
