import type { FailureReport, Summarizer } from '@palimpsest/core';
import type { SummaryFailure, SummaryFailureClass } from './summary-failure.ts';

const messages: Readonly<Record<SummaryFailureClass, string>> = {
  access: 'The summarizer refused access: check its key, its permissions and its quota',
  network: 'The summarizer could not be reached',
  transient: 'The summarizer is overloaded or too slow',
  'missing-model': 'The model of the summarizer does not exist',
  'bad-output': 'The summarizer returned no usable summary',
  overflow: 'The turns do not fit into the context window of the summarizer, not even in small parts',
  unknown: 'The summarizer failed',
  cancelled: 'The summary was cancelled by the caller',
};

/** Cooldown by class, in milliseconds. */
const cooldowns: Readonly<Record<Exclude<SummaryFailureClass, 'transient'>, number>> = {
  access: 600_000,
  network: 60_000,
  'missing-model': 600_000,
  'bad-output': 30_000,
  overflow: 60_000,
  unknown: 60_000,
  cancelled: 0,
};
const closedStreamCooldown = 30_000;
/** Cooldown of transient failures by number of consecutive failures, in milliseconds. */
const transientCooldowns: readonly number[] = [60_000, 300_000, 900_000];

/** Converts a failure to a report for the host. Redacted. */
export function failureReport(
  failure: SummaryFailure,
  summarizer: Summarizer,
  redact: (text: string) => string,
): FailureReport {
  return {
    class: failure.class,
    message: redact(`${messages[failure.class]} (${failure.reason}).`),
    cooldownMs: cooldownMs(failure),
    summarizer: redact(summarizer.id),
  };
}

/**
 * How long automatic model calls pause after a failure, in milliseconds: one number, or one per consecutive failure. A
 * provider's `retry-after` raises the steps, up to the last one.
 */
function cooldownMs(failure: SummaryFailure): number | readonly number[] {
  if (failure.class !== 'transient') return failure.closedStream ? closedStreamCooldown : cooldowns[failure.class];
  const asked = Math.min(failure.retryAfterMs, transientCooldowns.at(-1)!);
  return transientCooldowns.map((step) => Math.max(step, asked));
}
