import type { Message } from '@palimpsest/core';
import { type Billed, mayFit, readBilled } from '@palimpsest/fit-weights/billed';
import { createTokenCounter } from '@palimpsest/tokens';
import { modelProfile } from '@palimpsest/tokens/models';
import { aiClaudeTokens, exactTokens } from './counters.ts';

/** A bill with one estimate per estimator. */
export interface BillEstimate {
  readonly bill: Billed;
  readonly estimates: Readonly<Record<string, number>>;
}

/** Names of the estimators, ours first. */
export const billEstimators: readonly string[] = ['claude profile', 'characters / 4', 'o200k', 'ai-tokenizer claude'];

const characters = (text: string): number => text.length / 4;

/** Estimates every available Claude bill that was not used for fitting. Weights and envelopes are fitted on growths only. */
export function estimateBills(dataFolder: string): BillEstimate[] {
  return readBilled(dataFolder, /claude/, 'anthropic-messages')
    .filter((bill) => bill.plain && (bill.source !== 'growth' || !mayFit(bill)))
    .map((bill) => ({
      bill,
      estimates: {
        'claude profile': ours(bill),
        'characters / 4': plain(bill, characters),
        o200k: plain(bill, exactTokens),
        'ai-tokenizer claude': plain(bill, aiClaudeTokens),
      },
    }));
}

function ours({ source, model, messages, system, tools }: Billed): number {
  const { encoding, envelope } = modelProfile(model);
  const counter = createTokenCounter({ encoding, envelope });
  if (source === 'growth') return messages.reduce((total, message) => total + counter.countMessage(message), 0);
  return counter.countRequest({ messages, system, tools: tools ?? null });
}

/** Estimates a request with a plain token counter on its JSON, which is the common way. */
function plain({ messages, system, tools }: Billed, count: (text: string) => number): number {
  const texts = messages.flatMap((message: Message) => [
    typeof message.content === 'string' ? message.content : JSON.stringify(message.content ?? ''),
    message.tool_calls ? JSON.stringify(message.tool_calls) : '',
  ]);
  if (system) texts.push(typeof system === 'string' ? system : JSON.stringify(system));
  if (tools) texts.push(JSON.stringify(tools));
  return texts.reduce((total, text) => total + count(text), 0);
}
