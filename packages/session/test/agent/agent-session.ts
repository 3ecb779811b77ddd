import { createSession } from '../../src/create-session.ts';
import type { SessionEvent } from '../../src/events/session-event.ts';
import type { SessionStore } from '../../src/options/session-store.ts';
import type { Session } from '../../src/session.ts';
import { compressorOn } from '../make-session.ts';

/** The session of an agent with a window of 16K tokens, on the engine "compressor" and no model for its summaries. */
export function agentSession(events: SessionEvent[] = [], store?: SessionStore, id = 'agent', recall = false): Session {
  return createSession({
    id,
    engine: (host) => compressorOn(host, undefined, { minimumThreshold: 0, threshold: 0.6 }),
    model: { id: 'm', contextLength: 16_000 },
    store,
    recall,
    // Compacts at the threshold, so that short runs have compactions.
    hooks: {
      onEvent: (event) => {
        events.push(event);
      },
    },
  });
}
