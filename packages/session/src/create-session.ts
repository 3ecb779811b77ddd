import { inspectNow } from './inspect/inspect-now.ts';
import { compactionOperations } from './operations/compaction-operations.ts';
import { engineOperations } from './operations/engine-operations.ts';
import { requestOperations } from './operations/request-operations.ts';
import { stateOperations } from './operations/state-operations.ts';
import type { SessionOptions } from './options/session-options.ts';
import { linkExchanges } from './recall/wire/session-exchanges.ts';
import { runCall } from './request/run-call.ts';
import { linkRiding } from './riding/riding-session.ts';
import type { Session } from './session.ts';
import { createServices } from './session-services.ts';

/**
 * Creates the session of one conversation. The first operation creates its engine.
 *
 * @example
 * const session = createSession({ engine: (host) => registry.create({ engine: 'compressor' }, host), model });
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once
 */
export function createSession(options: SessionOptions): Session {
  const services = createServices(options);
  const session: Session = {
    id: services.id,
    ...requestOperations(services),
    run: (messages, call, given = {}) => runCall(session, services, messages, call, given),
    ...compactionOperations(services),
    ...stateOperations(services),
    ...engineOperations(services),
    inspect: (messages) => inspectNow(services, messages),
  };
  linkExchanges(session, services.putBack, () => services.persistence.save());
  linkRiding(session, services);
  return session;
}
