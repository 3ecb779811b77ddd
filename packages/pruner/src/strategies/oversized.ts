import { isToolResult } from '@palimpsest/core';
import { isFailingLine, type RankedLine } from '@palimpsest/salience';
import { cutResult } from '../append/cut-result.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import type { Proposal } from '../view/proposal.ts';
import type { PruneView, Strategy } from '../view/strategy.ts';
import { candidateAt } from './excerpt-candidate.ts';
import { fitExcerpts } from './excerpts.ts';

interface OversizedOptions {
  /** The most tokens of a result. */
  readonly limitOf: (exchange: ToolExchange) => number;
  /** The lines of a result, in order. */
  readonly linesOf: (at: number) => readonly RankedLine[];
}

/** Lines that stay before all others: at the beginning, at the end, and the first ones that report a failure, with the lines around them. */
const firstLines = 3;
const lastLines = 8;
const failures = 12;
const around = 2;
/** Factor for their worth: more than lines differ otherwise. */
const preferred = 1e6;

/** An excerpt with less than this share of its limit says too little of a result that nobody has read yet. */
const leastShare = 0.5;

/**
 * Creates a strategy that cuts each result over its limit to an excerpt of about that size. A result with too few lines of
 * any worth keeps its beginning and its end instead.
 */
export function oversized({ limitOf, linesOf }: OversizedOptions): Strategy {
  return {
    name: 'oversized',
    *propose(view) {
      for (let at = view.policy.from; at < view.oldEnd; at++) {
        const exchange = isToolResult(view.transcript.messages[at]!) && view.mayEdit(at) ? view.exchange(at) : null;
        const limit = exchange ? limitOf(exchange) : 0;
        if (exchange && view.tokens(at) > limit) yield* shorter(view, at, limit, linesOf(at));
      }
    },
  };
}

function* shorter(view: PruneView, at: number, limit: number, lines: readonly RankedLine[]): Iterable<Proposal> {
  const candidate = candidateAt(view, at, withPreference(lines));
  if (!candidate) return;
  const { proposals, tokens } = fitExcerpts(view, [candidate], candidate.stubTokens, limit);
  if (tokens >= limit * leastShare) {
    yield* proposals;
    return;
  }
  const { policy, transcript } = view;
  const options = {
    tokens: { countText: (text: string) => transcript.countMessage({ role: 'tool', content: text }, at) },
    ...(policy.redact ? { redact: policy.redact } : {}),
  };
  const { message, original } = cutResult(view.current(at)!, limit, options);
  const note = 'The result was too long. Its beginning and its end were kept.';
  if (original) yield { at, set: { content: message.content ?? null }, note };
}

/** The lines, those that a reader of a new result looks for worth the most. */
function withPreference(lines: readonly RankedLine[]): RankedLine[] {
  const preference = new Uint8Array(lines.length);
  preference.fill(1, 0, firstLines).fill(1, Math.max(0, lines.length - lastLines));
  let found = 0;
  for (let index = 0; index < lines.length && found < failures; index++) {
    if (!isFailingLine(lines[index]!.text)) continue;
    found++;
    preference.fill(1, Math.max(0, index - around), index + around + 1);
  }
  return lines.map((line, index) => (preference[index] ? { ...line, worth: (line.worth + 1e-9) * preferred } : line));
}
