import type { SummaryMaterial } from '@palimpsest/core';
import type { Source } from './gather-source.ts';

/** A source as writers get it. */
export function materialOf(
  { messages, previousSummary }: Source,
  template: SummaryMaterial['template'],
  focusTopic: string | null,
): SummaryMaterial {
  return {
    messages: messages.map(({ message }) => message),
    carried: messages.flatMap(({ carried }, position) => (carried ? [position] : [])),
    requests: messages.flatMap(({ real }, position) => (real ? [position] : [])),
    previousSummary,
    template,
    focusTopic,
  };
}
