import { isToolResult, type Message, type RewriteEdit } from '@palimpsest/core';
import { cutResult } from '@palimpsest/pruner';
import type { MessageTokenCounter } from '@palimpsest/tokens';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { commitRewrites } from './commit-rewrites.ts';

/** Target size of the request, as a share of the room. Dense text, such as a log, may have a sixth more tokens than estimated. */
const safety = 0.8;
/** Smallest size in tokens to which a result is cut. Less would not be useful. */
const minResultTokens = 200;

const note = 'The result was cut: the request did not fit the window, and nothing else was left to shorten.';

/**
 * Cuts the largest tool results to a common size, so that a request fits. This is the last resort when compaction did
 * not help because the large content is protected, such as results the model has not read yet. Each cut result keeps
 * its beginning and end, with a line between them that says how much is missing.
 * @param room maximum tokens of the prompt
 * @returns the number of the checkpoint; `null` when there is nothing to cut, or cutting all would not be enough
 */
export function cutResults(parts: SessionParts, input: RequestInput, room: number): number | null {
  const { events, viewer } = parts;
  const { meter } = parts.provider;
  const { counter } = meter;
  const { projection, size } = viewer.view(input);
  const excess = size.tokens / size.ratio - (room * safety) / size.ratio;
  const results = projection.messages.flatMap((message, at) =>
    isToolResult(message) ? [{ at, message, tokens: counter.countMessage(message) }] : [],
  );
  const sizes = results.map(({ tokens }) => tokens);
  const cap = commonSize(sizes, excess);
  if (cap === null) return null;
  const rewrites = results.flatMap(({ at, message, tokens }): RewriteEdit[] => {
    const shorter = tokens > cap ? cutTo(message, cap, counter) : null;
    return shorter === null
      ? []
      : [{ kind: 'rewrite', at, set: { content: shorter.content ?? null }, reasons: [{ code: 'cut', note }] }];
  });
  if (rewrites.length === 0) return null;
  const number = commitRewrites(parts, input, rewrites, 'results');
  const tokensAfter = viewer.view(input).size.tokens;
  events.publish({ type: 'results-cut', results: rewrites.length, tokensBefore: size.tokens, tokensAfter });
  return number;
}

/** The size to cut the largest results to, to save `excess` tokens; `null` when that is not possible. */
function commonSize(sizes: readonly number[], excess: number): number | null {
  if (!(excess > 0) || !Number.isFinite(excess)) return null;
  const sorted = [...sizes].sort((a, b) => b - a);
  let above = 0;
  for (let count = 1; count <= sorted.length; count++) {
    above += sorted[count - 1]!;
    const size = (above - excess) / count;
    if (size >= minResultTokens && size >= (sorted[count] ?? 0)) return Math.floor(size);
  }
  return null;
}

/** Cuts a result to `cap` tokens. Part of a text may be denser than the whole, so it checks the size and cuts again. */
function cutTo(message: Message, cap: number, counter: MessageTokenCounter): Message | null {
  let shorter: Message | null = null;
  for (let maximum = cap; maximum >= minResultTokens / 4; maximum = Math.floor(maximum * 0.8)) {
    const cut = cutResult(message, maximum, { tokens: counter });
    if (cut.original === null) return null;
    shorter = cut.message;
    if (counter.countMessage(shorter) <= cap) return shorter;
  }
  return shorter;
}
