import type { EngineHost, Message, RewriteEdit } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { plan } from '../prune.ts';
import { rankTranscriptLines } from '../salience/rank/rank-transcript-lines.ts';
import { cutOversized } from '../strategies/cut-oversized.ts';

/** Limits of results that the model has not read yet. Tokens. */
export interface UnreadLimits {
  /** Limit of any other result. */
  readonly maximum: number;
  /** Limit of a file that the model asked for. */
  readonly files: number;
}

/** A model's answer to append. It makes the last tool exchange no longer pending, so its results can be edited. */
const answer: Message = { role: 'assistant', content: '.' };

/**
 * Shortens new tool results over their limit to excerpts before the model reads them. Nothing before them changes, so a
 * cached prefix stays valid.
 * @returns one edit per shortened result
 */
export function shortenUnread(
  messages: readonly Message[],
  { maximum, files }: UnreadLimits,
  host: EngineHost,
): RewriteEdit[] {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const transcript = Transcript.of([...messages, answer], host.tokens, host);
  const strategies = [
    cutOversized({
      limitOf: (exchange) => (exchange.class === 'read' ? files : maximum),
      linesOf: rankTranscriptLines(transcript, host),
    }),
  ];
  const { redact, isFromPerson } = host;
  return plan(transcript, { from, strategies, redact, isFromPerson, protect: { tokens: 0 }, minimum: 0, keepTurns: 0 });
}
