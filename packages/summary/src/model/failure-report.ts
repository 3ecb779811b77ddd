import type { FailureReport, Summarizer } from '@palimpsest/core';
import { cooldownMs } from './cooldown.ts';
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

/** The failure as it is reported to the host. Redacted. */
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
