import { Transcript } from '@palimpsest/core/authoring';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';

/** Target sizes of successive passes, as shares of the room. */
const shares = [0.6, 0.45, 0.3] as const;
/** Largest prompt after a pass together with the results that the model has not seen, which come on top of a target. */
const maxPromptShare = 0.9;
/** Smallest target, as a share of the room, however many results are unread. Results that do not fit are cut. */
const minTargetShare = 0.3;

/**
 * The target size for a pass. Each pass asks for less than the one before.
 * @param room maximum tokens of the prompt
 * @param pass 1 for the first pass
 * @param unreadTokens tokens that come on top of the target
 */
export function targetOfPass(room: number, pass: number, unreadTokens: number = 0): number {
  const share = shares[Math.max(0, Math.min(pass, shares.length) - 1)]!;
  return Math.floor(Math.max(room * minTargetShare, Math.min(room * share, room * maxPromptShare - unreadTokens)));
}

/** Tokens of the results that the model has not seen yet. */
export function countUnreadTokens({ host }: SessionParts, { projection, size }: RequestView): number {
  return Transcript.of(projection.messages, host.tokens, host).unreadTokens * size.ratio;
}
