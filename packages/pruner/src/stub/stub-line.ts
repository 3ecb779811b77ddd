import { isRecallTool } from '@palimpsest/agents';
import { maxStubLength } from '@palimpsest/core/authoring';
import { plainPlaceholder } from '../exchange/result-text.ts';
import { descriptorOf, type ToolDescriptor } from '../exchange/tool-descriptor.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { quoteOutput } from '../salience/excerpt/quote-output.ts';
import { truncate } from '../salience/text/cut.ts';
import type { PruneView } from '../view/strategy.ts';
import { type ExcerptHead, readExcerptHead } from './excerpt-head.ts';
import type { Quote } from './quote.ts';
import { describeCall } from './stub-writers.ts';

/** Minimum room for a quotation in a stub, in characters. */
const minQuotationLength = 20;

/**
 * Writes the line that replaces a result: redacted, at most 199 characters.
 * @returns `null` if the tool's own descriptor keeps the result
 */
export function stubLine({ policy, quote }: PruneView, exchange: ToolExchange, suffix: string): string | null {
  const excerpt = readExcerptHead(exchange.text);
  if (!excerpt && policy.placeholder === 'plain') return plainPlaceholder(exchange.text.length);
  const room = maxStubLength - suffix.length;
  const text = excerpt ? excerpt.line : writeStub(exchange, descriptorOf(exchange, policy.tools)?.stub, quote, room);
  return text === null ? null : truncate(policy.redact ? policy.redact(text) : text, room) + suffix;
}

/** Returns the first line of an excerpt: the stub without a quotation, because the lines themselves follow. */
export function excerptHead({ policy, quote }: PruneView, exchange: ToolExchange, lines: number): ExcerptHead {
  const known = readExcerptHead(exchange.text);
  if (known) return known;
  if (policy.placeholder === 'plain') return { line: plainPlaceholder(exchange.text.length), lines };
  const own = descriptorOf(exchange, policy.tools)?.stub;
  const text =
    (own ? writeStub(exchange, own, quote, maxStubLength) : null) ??
    toolPrefix(exchange, quote) + describeCall(exchange, quote);
  return { line: truncate(policy.redact ? policy.redact(text) : text, maxStubLength), lines };
}

function writeStub(exchange: ToolExchange, own: ToolDescriptor['stub'], quote: Quote, room: number): string | null {
  const prefix = toolPrefix(exchange, quote);
  if (own) {
    const text = own(exchange);
    return text === null ? null : prefix + quote(text, room);
  }
  const line = prefix + describeCall(exchange, quote);
  const left = room - line.length - 2;
  // The output of recall only quotes text from elsewhere.
  const isQuoted = left >= minQuotationLength && !isRecallTool(exchange.called);
  const quoted = isQuoted ? quote(quoteOutput(exchange.class, exchange.outcome, left), left) : '';
  return quoted === '' ? line : `${line}: ${quoted}`;
}

function toolPrefix({ called }: ToolExchange, quote: Quote): string {
  return `[${called.length > 60 ? quote(called, 60) : called}] `;
}
