import type { RequestInput } from '../request/request-input.ts';
import type { SessionParts } from '../session-parts.ts';
import { type Moment, momentOf } from './moment.ts';

/** The prompt sizes between which a session waits for a good moment. Tokens. */
export interface MomentRange {
  readonly soft: number;
  readonly hard: number;
}

/** The soft threshold is at most this share of the hard one. */
const softShare = 0.8;

type RangeParts = Pick<SessionParts, 'engine' | 'options'>;

/**
 * Returns the range in which a compaction waits for a moment; `null` if the option is off or the window is unknown. It
 * ends at the engine's latest threshold, and leaves at least half of the room since the last compaction for work.
 */
export function momentRange({ engine, options }: RangeParts): MomentRange | null {
  const state = engine.current?.state;
  if (!options.moments || !state || state.thresholdTokens <= 0) return null;
  const { thresholdTokens, latestThresholdTokens: hard = thresholdTokens, compactedTokens } = state;
  const early = Math.min(thresholdTokens, hard * softShare);
  return { soft: Math.floor(Math.max(early, ((compactedTokens ?? 0) + hard) / 2)), hard };
}

/** Prompt size in tokens at which a compaction no longer waits: the engine's threshold or the hard one. */
export function compactsAt(parts: RangeParts): number {
  return momentRange(parts)?.hard ?? parts.engine.current?.state.thresholdTokens ?? 0;
}

/** The moment before a request, or `failing`, or `null`. */
export function momentNow(
  { clock, host, hygiene, options }: Pick<SessionParts, 'clock' | 'host' | 'hygiene' | 'options'>,
  { messages }: RequestInput['intake'],
): Moment | 'failing' | null {
  const { lastActivity } = hygiene;
  return momentOf({
    history: messages,
    isRequest: (index) => messages[index]!.role === 'user' && host.isRequest(messages[index]!, index, messages),
    idleMs: lastActivity === null ? null : clock.now() - lastActivity,
    cacheMs: options.moments!.cacheMs,
  });
}
