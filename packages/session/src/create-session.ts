import { rememberMessages } from '@palimpsest/formats';
import { compactionOperations } from './operations/compaction-operations.ts';
import { engineOperations } from './operations/engine-operations.ts';
import { requestOperations } from './operations/request-operations.ts';
import { failureOf, runOperation, sendRequest } from './operations/send-request.ts';
import { createServices } from './operations/session-services.ts';
import { stateOperations } from './operations/state-operations.ts';
import type { SessionOptions } from './options/session-options.ts';
import { isSharedStore } from './options/session-store.ts';
import type { Session } from './session.ts';

/**
 * Creates the session of one conversation. The first operation creates its engine.
 *
 * @example
 * const session = createSession({ engine: (host) => registry.create({ engine: 'compressor' }, host), model });
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once
 */
export function createSession(options: SessionOptions): Session {
  const services = createServices(options);
  const operations = requestOperations(services);
  return {
    id: services.id,
    adapter: {
      rounds: services.conversation.rounds,
      save: () => services.persistence.save(),
      async refresh() {
        const { queue } = services;
        await queue.ensureOpen();
        // A hook or summarizer of a running operation must not wait for that operation.
        if (isSharedStore(options.store) && !queue.isBusy)
          await queue.run(async () => services.persistence.keepFresh());
      },
      attachPages: () => services.pages?.attach(),
      remember: rememberMessages(),
      send: (call) => sendRequest(operations, services, call),
      offerSource(request, source) {
        const sent = services.conversation.requests.findSent(request);
        if (sent) services.conversation.lastRequest.noteAnswered(sent, null, source);
      },
      forgetSource: () => services.conversation.lastRequest.forget(),
      failureOf: (refusal, request) => failureOf(services, refusal, request),
    },
    ...operations,
    ...runOperation(operations, services),
    ...compactionOperations(services),
    ...stateOperations(services),
    ...engineOperations(services),
  };
}
