import { quoteOutput, truncate } from '@palimpsest/salience';
import { type ExcerptHead, readExcerptHead } from './excerpt-text.ts';
import type { ToolExchange } from './exchange.ts';
import { KnownProposal } from './known-proposal.ts';
import { isPlaceholder, plainPlaceholder } from './placeholder.ts';
import type { Proposal } from './proposal.ts';
import { type Quote, stubLength } from './quote.ts';
import type { PruneView, Strategy } from './strategy.ts';
import { writers } from './stub-text.ts';
import { descriptorOf, type ToolDescriptor } from './tool.ts';
import { withText } from './tool-result.ts';

/** Longest stub in characters. Results up to this length are left unchanged. */
export const longestStub = 200;

/** Old results over 200 characters become one line: what ran, on what, how it ended, how big it was. */
export const stub: Strategy = {
  name: 'stub',
  propose(view) {
    const proposals: Proposal[] = [];
    for (let at = view.policy.from; at < view.oldEnd; at++) {
      const proposal = proposeStub(view, at);
      if (proposal !== null) proposals.push(proposal);
    }
    return proposals;
  },
};

/** The proposal to stub one message, wherever it stands; `null` when it is no result, short already, or must stay. */
export function proposeStub(view: PruneView, at: number, suffix = ''): Proposal | null {
  const exchange = view.exchange(at);
  if (!exchange || exchange.length <= longestStub || !view.mayEdit(at)) return null;
  const content = exchange.content ?? view.current(at)!.content;
  const known = exchange.recall(at, content, suffix, view.policy);
  if (known !== undefined) return known;
  const line = isPlaceholder(exchange.text) || isAnswer(exchange) ? null : stubLine(view, exchange, suffix);
  const what = `A ${exchange.class} result of ${exchange.length} characters became one line`;
  const note = suffix === '' ? `${what}.` : `${what}: ${suffix.slice(2)}.`;
  const proposal = line === null ? null : new KnownProposal({ at, set: { content: withText(content, line) }, note });
  // Counted while its text is at hand.
  proposal?.on(view.current(at)!, view.transcript);
  return exchange.remember(at, proposal, content, suffix, view.policy);
}

/** The line itself, redacted and at most 199 characters; `null` when the tool's own descriptor wants the result kept. */
function stubLine({ policy, quote }: PruneView, exchange: ToolExchange, suffix: string): string | null {
  const excerpted = readExcerptHead(exchange.text);
  if (!excerpted && policy.placeholder === 'plain') return plainPlaceholder(exchange.text.length);
  const room = stubLength - suffix.length;
  const text = excerpted ? excerpted.line : describe(exchange, descriptorOf(exchange, policy.tools)?.stub, quote, room);
  return text === null ? null : truncate(policy.redact ? policy.redact(text) : text, room) + suffix;
}

/** The first line of an excerpt from this result: its stub without a quotation, for the lines themselves follow. */
export function excerptHead({ policy, quote }: PruneView, exchange: ToolExchange, lines: number): ExcerptHead {
  const known = readExcerptHead(exchange.text);
  if (known) return known;
  if (policy.placeholder === 'plain') return { line: plainPlaceholder(exchange.text.length), lines };
  const own = descriptorOf(exchange, policy.tools)?.stub;
  const text =
    (own ? describe(exchange, own, quote, stubLength) : null) ??
    bracketed(exchange, quote) + writers[exchange.class](exchange, quote);
  return { line: truncate(policy.redact ? policy.redact(text) : text, stubLength), lines };
}

function describe(exchange: ToolExchange, own: ToolDescriptor['stub'], quote: Quote, room: number): string | null {
  const name = bracketed(exchange, quote);
  if (own) {
    const text = own(exchange);
    return text === null ? null : name + quote(text, room);
  }
  const line = name + writers[exchange.class](exchange, quote);
  const left = room - line.length - 2;
  const quoted = left >= shortestExcerpt ? quote(quoteOutput(exchange.class, exchange.outcome, left), left) : '';
  return quoted === '' ? line : `${line}: ${quoted}`;
}

function bracketed({ called }: ToolExchange, quote: Quote): string {
  return `[${called.length > 60 ? quote(called, 60) : called}] `;
}

/** Less room than this, in characters, is not worth a quotation. */
const shortestExcerpt = 20;

/** What the user says in place of a result, when refusing a call in Claude Code. */
const userSaid =
  /^(?:<tool_use_error>)?(?:The user (?:doesn't|does not) want to|User (?:has )?(?:answered|rejected|responded|said))/;

/**
 * Longest answer that is kept verbatim, in characters. People type less; a tool named `ask_database` returns more, and
 * so does output that only begins like an answer.
 */
const longestAnswer = 4_000;

/** True for what a user answered: it is kept verbatim. */
function isAnswer(exchange: ToolExchange): boolean {
  return exchange.text.length <= longestAnswer && (exchange.class === 'ask' || userSaid.test(exchange.text));
}
