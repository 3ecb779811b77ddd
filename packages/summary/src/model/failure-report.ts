import type { FailureReport, Summarizer } from '@palimpsest/core';
import { cooldownMs } from './cooldown.ts';
import type { Failure, FailureClass } from './failure-class.ts';

const words: Readonly<Record<FailureClass, string>> = {
  access: 'The summarizer refused access: check its key, its permissions and its quota',
  network: 'The summarizer could not be reached',
  transient: 'The summarizer is overloaded or too slow',
  'missing-model': 'The model of the summarizer does not exist',
  'bad-output': 'The summarizer gave nothing that can be used',
  overflow: 'The turns do not fit into the window of the summarizer, not even in small parts',
  unknown: 'The summarizer failed',
  cancelled: 'The summary was cancelled by the caller',
};

/** What is told of a failure. */
export function failureReport(
  failure: Failure,
  summarizer: Summarizer,
  redact: (text: string) => string,
): FailureReport {
  return {
    class: failure.class,
    message: redact(`${words[failure.class]} (${failure.reason}).`),
    cooldownMs: cooldownMs(failure),
    summarizer: redact(summarizer.id),
  };
}
