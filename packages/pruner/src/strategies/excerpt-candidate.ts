import type { Message } from '@palimpsest/core';
import { withRewrite } from '@palimpsest/core/authoring';
import { withText } from '../exchange/result-text.ts';
import type { RankedLine } from '../salience/rank/rank-transcript-lines.ts';
import { type ExcerptHead, gapMark, readExcerptHead, writeExcerptHead } from '../stub/excerpt-head.ts';
import { proposeStub } from '../stub/propose-stub.ts';
import { excerptHead } from '../stub/stub-line.ts';
import type { Proposal, PruneView } from '../view/strategy.ts';

/** A result that can become an excerpt, with its tokens as an excerpt and as a stub. */
export interface ExcerptCandidate {
  /** Index of the result. */
  readonly at: number;
  readonly lines: readonly RankedLine[];
  readonly stub: Proposal;
  readonly stubTokens: number;
  readonly fullTokens: number;
  readonly head: ExcerptHead;
  /** Ratio of the message's tokens to the estimated tokens of its lines. */
  readonly scale: number;
  /** For each line, 1 if it is kept. */
  readonly kept: Uint8Array;
}

/** Reads a result as a candidate for an excerpt; `null` if a stub would not make it smaller. */
export function candidateAt(view: PruneView, at: number, lines: readonly RankedLine[]): ExcerptCandidate | null {
  const exchange = view.exchange(at);
  const stub = proposeStub(view, at);
  if (!exchange || !stub) return null;
  const stubTokens = tokensAfter(view, stub);
  const fullTokens = view.tokens(at);
  if (stubTokens >= fullTokens) return null;
  // An earlier excerpt contains our first line and gap marks.
  const own = lines.filter(({ text }, index) => (index > 0 || readExcerptHead(`${text}\n`) === null) && !isGap(text));
  const tokens = own.reduce((sum, line) => sum + line.tokens, 0);
  const count = own.reduce((sum, { continues }) => sum + (continues ? 0 : 1), 0);
  return {
    at,
    lines: own,
    stub,
    stubTokens,
    fullTokens,
    head: excerptHead(view, exchange, count),
    scale: tokens > 0 ? Math.min(2, fullTokens / tokens) : 1,
    kept: new Uint8Array(own.length),
  };
}

/**
 * Proposes an excerpt of the kept lines, or a stub if no line is kept. Returns `null` if the excerpt is not smaller than
 * the result.
 */
export function proposeExcerpt(view: PruneView, candidate: ExcerptCandidate): Proposal | null {
  if (!candidate.kept.includes(1)) return candidate.stub;
  const content = withText(view.message(candidate.at)!.content, excerptText(candidate));
  const note = `Of a result of ${candidate.head.lines} lines, those most likely needed again were kept.`;
  const proposal = { at: candidate.at, set: { content }, note };
  return tokensAfter(view, proposal) < candidate.fullTokens ? proposal : null;
}

/** Tokens of the message after a proposal. */
export function tokensAfter(view: PruneView, { at, set }: Proposal): number {
  return view.transcript.countMessage(withRewrite(view.current(at) as Message, set), at);
}

function excerptText({ lines, kept, head }: ExcerptCandidate): string {
  const texts: string[] = [];
  let count = 0;
  let gap = false;
  lines.forEach(({ text, continues }, index) => {
    if (!kept[index]) {
      gap = true;
      return;
    }
    if (gap) texts.push(gapMark);
    if (continues && !gap && texts.length > 0) texts.push(texts.pop()! + text);
    else {
      texts.push(text);
      count++;
    }
    gap = false;
  });
  if (gap) texts.push(gapMark);
  return [writeExcerptHead(head, count), ...texts].join('\n');
}

function isGap(text: string): boolean {
  return text.trim() === gapMark;
}
