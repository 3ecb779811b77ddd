import { isToolResult } from '@palimpsest/core';
import { cutResult } from '../append/cut-result.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { isFailingLine } from '../salience/kinds/failing-lines.ts';
import type { RankedLine } from '../salience/rank/rank-transcript-lines.ts';
import type { Proposal, PruneView, Strategy } from '../view/strategy.ts';
import { candidateAt } from './excerpt-candidate.ts';
import { fitExcerpts } from './excerpts.ts';

interface OversizedOptions {
  /** Returns the maximum tokens of a result. */
  readonly limitOf: (exchange: ToolExchange) => number;
  /** Returns the lines of a result in order, given its index. */
  readonly linesOf: (at: number) => readonly RankedLine[];
}

/**
 * Numbers of preferred lines: at the beginning, at the end, and the first that report a failure, with `around` lines on
 * each side.
 */
const firstLines = 3;
const lastLines = 8;
const failures = 12;
const around = 2;
/** Factor for the worth of preferred lines; larger than any other difference in worth. */
const preferred = 1e6;

/**
 * Minimum size of an excerpt as a share of its limit. A smaller one says too little about a result that was never read.
 */
const minShare = 0.5;

/**
 * Creates a strategy that cuts each result over its limit to an excerpt of about that size. A result with too few lines
 * worth keeping keeps its beginning and its end instead.
 */
export function cutOversized({ limitOf, linesOf }: OversizedOptions): Strategy {
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
  if (tokens >= limit * minShare) {
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

/** Raises the worth of the lines that a reader of a new result looks for first. */
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
