import { isToolResult } from '@palimpsest/core';
import { fillRoom } from '../salience/excerpt/fill-room.ts';
import type { RankedLine } from '../salience/rank/rank-transcript-lines.ts';
import type { Proposal, PruneView, Strategy } from '../view/strategy.ts';
import { candidateAt, type ExcerptCandidate, proposeExcerpt, tokensAfter } from './excerpt-candidate.ts';

/** Options of {@link excerpts}. */
export interface ExcerptOptions {
  /** Target size of the transcript's messages together, in tokens. Messages inserted by earlier phases do not count. */
  readonly targetTokens: number;
  /** Returns the lines of a result in order, given its index. A result without lines is stubbed or stays. */
  readonly linesOf: (at: number) => readonly RankedLine[];
}

/** Estimated tokens of a gap mark, and of an excerpt's first line beyond those of a stub. */
const gapTokens = 3;
const headTokens = 12;
/**
 * Maximum number of attempts. Tokens of single lines do not add up exactly, so the room is corrected by the result and
 * lines are chosen again.
 */
const attempts = 6;
/** Share of the target from which the result is good enough. */
const fullShare = 0.985;

/** Proposals for all results, and the tokens of the transcript with them. */
interface Choice {
  readonly proposals: readonly Proposal[];
  readonly tokens: number;
}

/** A line of a candidate, by its index. */
type CandidateLine = readonly [candidate: ExcerptCandidate, index: number];

/**
 * Creates a strategy that shrinks old results to reach a target size. Lines of all results compete for the available
 * room. Each result keeps its best lines below a first line that states what ran, or becomes a stub if it keeps none.
 * Does nothing if the target is already met. Linear time except for one sort of the lines.
 */
export function excerpts({ targetTokens, linesOf }: ExcerptOptions): Strategy {
  return {
    name: 'excerpt',
    propose(view) {
      let minTotal = 0;
      for (let at = 0; at < view.transcript.length; at++) minTotal += view.tokens(at);
      if (minTotal <= targetTokens) return [];
      const candidates: ExcerptCandidate[] = [];
      for (let at = view.policy.from; at < view.oldEnd; at++) {
        const candidate = isToolResult(view.transcript.messages[at]!) ? candidateAt(view, at, linesOf(at)) : null;
        if (!candidate) continue;
        candidates.push(candidate);
        minTotal -= candidate.fullTokens - candidate.stubTokens;
      }
      return fitExcerpts(view, candidates, minTotal, targetTokens).proposals;
    },
  };
}

/**
 * Chooses lines of the candidates that together fill a target size.
 * @param minTotal tokens if all candidates were stubs
 */
export function fitExcerpts(
  view: PruneView,
  candidates: readonly ExcerptCandidate[],
  minTotal: number,
  targetTokens: number,
): Choice {
  const order = bestFirst(candidates);
  let best: Choice = { proposals: candidates.map(({ stub }) => stub), tokens: minTotal };
  let room = targetTokens - minTotal;
  for (let attempt = 0; attempt < attempts && room > 0; attempt++) {
    chooseLines(candidates, order, room);
    const choice = proposeAll(view, candidates, minTotal);
    if (choice.tokens <= targetTokens && choice.tokens >= best.tokens) best = choice;
    if (choice.tokens <= targetTokens && choice.tokens > targetTokens * fullShare) break;
    room *= (targetTokens * 0.997 - minTotal) / Math.max(1, choice.tokens - minTotal);
  }
  return best;
}

/** All lines with a worth above 0, best first; for equal worth, newest first. */
function bestFirst(candidates: readonly ExcerptCandidate[]): readonly CandidateLine[] {
  const order: CandidateLine[] = [];
  for (const candidate of candidates)
    candidate.lines.forEach(({ worth }, index) => {
      if (worth > 0) order.push([candidate, index]);
    });
  return order.sort(([a, i], [b, j]) => b.lines[j]!.worth - a.lines[i]!.worth || b.at - a.at || j - i);
}

/** Marks the lines that fit into the room, best first. */
function chooseLines(candidates: readonly ExcerptCandidate[], order: readonly CandidateLine[], room: number): void {
  const started = new Set<ExcerptCandidate>();
  for (const { kept } of candidates) kept.fill(0);
  let left = room;
  fillRoom(order, ([candidate, index]) => {
    const { kept, lines, scale } = candidate;
    const neighbors = (kept[index - 1] ?? 0) + (kept[index + 1] ?? 0);
    const cost = lines[index]!.tokens * scale + (started.has(candidate) ? 0 : headTokens) + (1 - neighbors) * gapTokens;
    if (cost > left) return false;
    left -= cost;
    kept[index] = 1;
    started.add(candidate);
    return true;
  });
}

/** @param minTotal tokens of the transcript if all candidates were stubs */
function proposeAll(view: PruneView, candidates: readonly ExcerptCandidate[], minTotal: number): Choice {
  const proposals: Proposal[] = [];
  let tokens = minTotal;
  for (const candidate of candidates) {
    const proposal = proposeExcerpt(view, candidate);
    if (proposal) proposals.push(proposal);
    tokens += (proposal ? tokensAfter(view, proposal) : candidate.fullTokens) - candidate.stubTokens;
  }
  return { proposals, tokens };
}
