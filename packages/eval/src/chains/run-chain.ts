import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type NamedCompactor, runCompactor } from '../evaluate/run-compactor.ts';
import { type Cut, sizesOf } from '../transcripts/cuts.ts';

/**
 * Compacts a growing history several times, each time the output before and the messages that followed it. The budget is a
 * share of the tokens of the history so far. A step whose budget is too small for the current task is left out.
 * @returns what is left after the last step
 */
export async function runChain(
  compactor: NamedCompactor,
  { name, past }: Cut,
  { share, count }: { readonly share: number; readonly count: number },
  counter: TokenCounter,
): Promise<readonly Message[]> {
  let context: readonly Message[] = [];
  let from = 0;
  for (const to of chainSteps(past, count, counter)) {
    context = [...context, ...past.slice(from, to)];
    from = to;
    const budgetTokens = Math.floor(sizesOf(past.slice(0, to), counter).tokens * share);
    if (sizesOf(context, counter).mustTokens > budgetTokens) continue;
    context = (await runCompactor(compactor, context, budgetTokens, { counter, transcript: name })).fair;
  }
  return context;
}

/**
 * Returns where a growing history is compacted: message counts at the ends of groups, ascending, at equal shares of the
 * tokens. The last one is the whole past.
 */
function chainSteps(past: readonly Message[], count: number, counter: TokenCounter): number[] {
  const transcript = Transcript.of(past, counter);
  const steps = Array.from({ length: count }, (_, at) => {
    const tokens = (transcript.totalTokens * (at + 1)) / count;
    return transcript.groups.findLast(({ to }) => transcript.tokensBetween(0, to) <= tokens)?.to ?? 0;
  });
  return [...new Set([...steps, past.length])].filter((to) => to > 0);
}
