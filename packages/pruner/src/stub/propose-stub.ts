import { resultReader } from '@palimpsest/agents';
import { isPlaceholder, withText } from '../exchange/result-text.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { proposeStubOnce } from '../view/result-memo.ts';
import type { Proposal, PruneView } from '../view/strategy.ts';
import { maxShortLength } from './short-length.ts';
import { stubLine } from './stub-line.ts';

/**
 * Proposes to stub a result, old or not; `null` if the message is not a result, is short, or must stay.
 * @param suffix text at the end of the stub; begins with `; `
 */
export function proposeStub(view: PruneView, at: number, suffix = ''): Proposal | null {
  const exchange = view.exchange(at);
  if (!exchange || exchange.text.length <= maxShortLength || !view.mayEdit(at)) return null;
  return proposeStubOnce(view, { at, exchange }, suffix, () => {
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
 * Maximum length of an answer that is kept verbatim, in characters. People type less; output of a tool such as
 * `ask_database`, or output that only starts like an answer, is longer.
 */
const maxAnswerLength = 4_000;

/** True for a user's answer, which is kept verbatim. */
function isAnswer(exchange: ToolExchange): boolean {
  return exchange.text.length <= maxAnswerLength && (exchange.class === 'ask' || resultReader.isAnswer(exchange.text));
}
