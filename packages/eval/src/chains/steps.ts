import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';

/**
 * Returns where a growing history is compacted: message counts at the ends of groups, ascending, at equal shares of the
 * tokens. The last one is the whole past.
 */
export function chainSteps(past: readonly Message[], count: number, counter: TokenCounter): number[] {
  const transcript = Transcript.of(past, counter);
  const steps = Array.from({ length: count }, (_, at) => {
    const tokens = (transcript.totalTokens * (at + 1)) / count;
    return transcript.groups.findLast(({ to }) => transcript.tokensBetween(0, to) <= tokens)?.to ?? 0;
  });
  return [...new Set([...steps, past.length])].filter((to) => to > 0);
}
