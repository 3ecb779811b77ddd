import { isToolResult, type Message, type RewriteEdit } from '@palimpsest/core';
import { cutResult } from '@palimpsest/pruner';
import type { SessionCore, Work } from '../session-core.ts';
import { commitRewrites } from './commit-rewrites.ts';
import { landing } from './need.ts';

/** Share of the room the request is cut to. Dense text, such as a log, may have a sixth more tokens than estimated. */
const safety = 0.8;
/** A result is not cut below this many tokens: less would not be useful. */
const leastResult = 200;

/**
 * Cuts the largest tool results to a common size, so that a request fits. This is the last resort when compaction did
 * not help because the large content is protected, such as results the model has not read yet. Each cut result keeps
 * its beginning and end, with a line between them that says how much is missing.
 * @param room the most tokens the prompt may have
 * @returns the number of the checkpoint; `null` when there is nothing to cut, or cutting all would not be enough
 */
export function cutResults(core: SessionCore, work: Work, room: number): number | null {
  const { counter } = core.meter;
  const view = core.view(work);
  const { messages } = view.projection;
  const wanted = (room * safety) / view.size.ratio;
  const tokens = view.size.tokens / view.size.ratio;
  const results = messages.flatMap((message, at) =>
    isToolResult(message) ? [{ at, message, tokens: counter.countMessage(message) }] : [],
  );
  const excess = tokens - wanted;
  const cap = commonSize(
    results.map((result) => result.tokens),
    excess,
  );
  if (cap === null) return null;
  const rewrites = results.flatMap(({ at, message, tokens: size }): RewriteEdit[] => {
    const shorter = size > cap ? cutTo(message, cap, counter) : null;
    return shorter === null
      ? []
      : [{ kind: 'rewrite', at, set: { content: shorter.content ?? null }, reasons: [{ code: 'cut', note }] }];
  });
  if (rewrites.length === 0) return null;
  const number = commitRewrites(core, work, rewrites, 'results');
  core.publish({
    type: 'results-cut',
    results: rewrites.length,
    tokensBefore: view.size.tokens,
    tokensAfter: core.view(work).size.tokens,
  });
  return number;
}

const note = 'The result was cut: the request did not fit the window, and nothing else was left to shorten.';

/** The size to cut the largest results to, to save `excess` tokens; `null` when that is not possible. */
function commonSize(sizes: readonly number[], excess: number): number | null {
  if (!(excess > 0) || !Number.isFinite(excess)) return null;
  const sorted = [...sizes].sort((a, b) => b - a);
  let above = 0;
  for (let count = 1; count <= sorted.length; count++) {
    above += sorted[count - 1]!;
    const size = (above - excess) / count;
    if (size >= leastResult && size >= (sorted[count] ?? 0)) return Math.floor(size);
  }
  return null;
}

/** Cuts a result to `cap` tokens. Part of a text may be denser than the whole, so it checks the size and cuts again. */
function cutTo(message: Message, cap: number, counter: SessionCore['meter']['counter']): Message | null {
  let shorter: Message | null = null;
  for (let maximum = cap; maximum >= leastResult / 4; maximum = Math.floor(maximum * 0.8)) {
    const cut = cutResult(message, maximum, { tokens: counter });
    if (cut.original === null) return null;
    shorter = cut.message;
    if (counter.countMessage(shorter) <= cap) return shorter;
  }
  return shorter;
}

/** Size limit for repeating a refused request when the provider did not state one. Tokens. */
export function roomAfterRefusal(core: SessionCore, work: Work, refusedTokens: number): number {
  return Math.min(core.room(work), landing(refusedTokens, core.turns.attempts));
}
