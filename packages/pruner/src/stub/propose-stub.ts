import { resultReader } from '@palimpsest/agents';
import { isPlaceholder } from '../exchange/placeholder.ts';
import { withText } from '../exchange/result-text.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import type { Proposal } from '../view/proposal.ts';
import { rememberedStub } from '../view/result-memo.ts';
import type { PruneView } from '../view/strategy.ts';
import { shortResult } from './stub-length.ts';
import { stubLine } from './stub-line.ts';

/**
 * Proposes to stub a message, old or not; `null` if it is not a result, is short, or must stay.
 * @param suffix ends the stub; begins with `; `
 */
export function proposeStub(view: PruneView, at: number, suffix = ''): Proposal | null {
  const exchange = view.exchange(at);
  if (!exchange || exchange.text.length <= shortResult || !view.mayEdit(at)) return null;
  return rememberedStub(view, at, exchange, suffix, () => {
    const { text } = exchange;
    const line = isPlaceholder(text) || isAnswer(exchange) ? null : stubLine(view, exchange, suffix);
    if (line === null) return null;
    const what = `A ${exchange.class} result of ${text.length} characters became one line`;
    return {
      at,
      set: { content: withText(view.current(at)!.content, line) },
      note: suffix === '' ? `${what}.` : `${what}: ${suffix.slice(2)}.`,
    };
  });
}

/**
 * The longest answer kept verbatim, in characters. People type less. A tool named `ask_database` returns more, and so
 * does output that only starts like an answer.
 */
const longestAnswer = 4_000;

/** True for a user's answer, which is kept verbatim. */
function isAnswer(exchange: ToolExchange): boolean {
  return exchange.text.length <= longestAnswer && (exchange.class === 'ask' || resultReader.isAnswer(exchange.text));
}
