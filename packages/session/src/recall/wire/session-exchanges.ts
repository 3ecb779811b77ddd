import type { Session } from '../../session.ts';
import type { Exchange } from './exchange.ts';
import { PutBack } from './put-back.ts';

/** The calls that were answered inside the fetches of a session. */
export interface SessionExchanges {
  readonly putBack: PutBack;
  /** True if the tools were in the last request: the next one is prepared with them first. */
  hadTools: boolean;
  /** Resolves when the exchange is stored, or the store has failed. */
  add(exchange: Exchange): Promise<void>;
}

// On the session itself: a host can create several fetch functions for one, and `/fetch` can be another bundle.
const field: unique symbol = Symbol.for('palimpsest.session.exchanges') as never;

type WithExchanges = Session & { [field]?: SessionExchanges };

/** Links a session with the exchanges of its fetches. @param save called after a change */
export function linkExchanges(session: Session, putBack: PutBack, save: () => Promise<void>): void {
  const add = (exchange: Exchange): Promise<void> => {
    putBack.add(exchange);
    return save();
  };
  Object.defineProperty(session, field, { value: { putBack, hadTools: false, add } satisfies SessionExchanges });
}

/** Returns the exchanges of a session's fetches. They are not stored for an object that only looks like a session. */
export function exchangesOf(session: Session): SessionExchanges {
  const known = (session as WithExchanges)[field];
  if (!known) linkExchanges(session, new PutBack(), () => Promise.resolve());
  return (session as WithExchanges)[field]!;
}
