import { isToolResult } from '@palimpsest/core';
import { shortenUnread } from '@palimpsest/pruner';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import { commitRewrites } from './commit-rewrites.ts';

/** Results with fewer tokens stay whole in any window. */
const minLimitTokens = 500;

/**
 * Shortens tool results that are new in this request and take more than their share of the window. The messages before
 * them stay as they are, so the provider's cache does.
 * @returns the number of the checkpoint; `null` when nothing was shortened
 */
export function shapeResults(
  parts: SessionParts,
  input: RequestInput,
  { projection, size }: RequestView,
): number | null {
  const { events, host, options, viewer } = parts;
  const { automatic } = parts.compactions;
  const { meter, model } = parts.provider;
  const { shape } = options;
  if (shape === null || model.tokens <= 0 || automatic.isHeld) return null;
  const { messages } = projection;
  const limitOf = (share: number): number => Math.max(minLimitTokens, Math.floor((model.tokens * share) / size.ratio));
  const limits = { maximum: limitOf(shape.at), files: limitOf(Math.max(shape.at, shape.files)) };
  const unread = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const isOver = unread.some(
    (message) => isToolResult(message) && meter.counter.countMessage(message) > limits.maximum,
  );
  const edits = isOver ? shortenUnread(messages, limits, host) : [];
  if (edits.length === 0) return null;
  const number = commitRewrites(parts, input, edits, 'arrival');
  const tokensAfter = viewer.view(input).size.tokens;
  events.publish({ type: 'results-shaped', results: edits.length, tokensBefore: size.tokens, tokensAfter });
  return number;
}
