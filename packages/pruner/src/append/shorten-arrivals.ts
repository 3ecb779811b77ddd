import type { EngineHost, Message, RewriteEdit } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { rankTurns } from '@palimpsest/salience';
import { plan } from '../prune.ts';
import { oversized } from '../strategies/oversized.ts';

/** Limits of results that the model has not read yet. Tokens. */
export interface ArrivalLimits {
  /** Any other result. */
  readonly maximum: number;
  /** A file that the model asked for. */
  readonly files: number;
}

/** An answer of the model. With one behind it, a tool exchange is not pending, so its results can be edited. */
const answer: Message = { role: 'assistant', content: '.' };

/**
 * Shortens tool results that the model has not read yet to excerpts, if they are over their limit. Nothing before them
 * changes, so a cached prefix stays valid.
 * @returns edits of the results at the end of the messages, without an edit for those that stay
 */
export function shortenArrivals(
  messages: readonly Message[],
  { maximum, files }: ArrivalLimits,
  host: EngineHost,
): RewriteEdit[] {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const transcript = Transcript.of([...messages, answer], host.tokens, host);
  const strategies = [
    oversized({
      limitOf: (exchange) => (exchange.class === 'read' ? files : maximum),
      linesOf: rankTurns(transcript, host),
    }),
  ];
  const { redact, isRequest } = host;
  return plan(transcript, { from, strategies, redact, isRequest, protect: { tokens: 0 }, minimum: 0, keepTurns: 0 });
}
