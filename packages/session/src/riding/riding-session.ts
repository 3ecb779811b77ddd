import type { Session } from '../session.ts';
import type { SessionParts } from '../session-parts.ts';

/** What riding on a session's requests takes. */
export type RidingSession = Pick<SessionParts, 'clock' | 'events' | 'lastRequest' | 'model' | 'requests' | 'spending'>;

// On the session itself: `/fetch` can be another bundle.
const field: unique symbol = Symbol.for('palimpsest.session.riding') as never;

type WithRiding = Session & { [field]?: RidingSession };

export function linkRiding(session: Session, parts: RidingSession): void {
  Object.defineProperty(session, field, { value: parts });
}

/** `null` for an object that only looks like a session. */
export function ridingSessionOf(session: Session): RidingSession | null {
  return (session as WithRiding)[field] ?? null;
}
