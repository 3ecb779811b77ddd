import { type Billed, readBilled } from '@palimpsest/fit-weights/billed';
import { createTokenCounter } from '@palimpsest/tokens';
import { modelProfile } from '@palimpsest/tokens/models';
import { aiClaudeTokens, exactTokens } from './counters.ts';
import { type ErrorSummary, errorsOf } from './error-summary.ts';

/** Estimators of a whole request, ours first. The others count the text of its JSON, which is the common way. */
const estimators: Readonly<Record<string, (bill: Billed) => number>> = {
  'claude profile': ({ model, messages, system, tools }) => {
    const { encoding, envelope } = modelProfile(model);
    return createTokenCounter({ encoding, envelope }).countRequest({ messages, system, tools: tools ?? null });
  },
  'characters / 4': plain((text) => text.length / 4),
  o200k: plain(exactTokens),
  'ai-tokenizer claude': plain(aiClaudeTokens),
};

/** Errors of each estimator on all Claude requests whose bill is known. The weights are not fitted on them. */
export function errorsOnBills(dataFolder: string): (ErrorSummary & { readonly name: string })[] {
  const bills = readBilled(dataFolder, /claude/, 'anthropic-messages').filter(
    ({ plain, source }) => plain && source !== 'growth',
  );
  if (bills.length === 0) return [];
  return Object.entries(estimators).map(([name, estimate]) => ({
    name,
    ...errorsOf(bills.map((bill) => estimate(bill) / bill.tokens - 1)),
  }));
}

function plain(count: (text: string) => number) {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  return ({ messages, system, tools }: Billed): number =>
    [...messages.flatMap(({ content, tool_calls }) => [content, tool_calls ?? '']), system ?? '', tools ?? '']
      .map(textOf)
      .reduce((total, text) => total + count(text), 0);
}
