import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { nodeResolver } from '@palimpsest/registry/config';
import type { SessionEvent } from '@palimpsest/session';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { loadModelRegistry } from '@palimpsest/tokens/models';
import type { KnownBodies } from '../bodies/known-bodies.ts';
import type { ModelWindows } from '../library/model-windows.ts';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { conversationStore } from './conversation-store.ts';
import { Conversations, defaultLimits } from './conversations.ts';
import { sessionMaker } from './session-maker.ts';

/**
 * Opens the conversations of a proxy: none, or those in its state folder.
 * @param fetch makes the calls of their sessions
 * @param bodies has read the bodies of the requests
 * @throws {PalimpsestError} for an engine that cannot be created
 */
export async function openConversations(
  options: ProxyOptions,
  windows: ModelWindows,
  fetch: FetchFunction,
  bodies: KnownBodies,
): Promise<Conversations> {
  const { config, directory, isDryRun, onCompaction, state } = options;
  const now = options.now ?? Date.now;
  const registry = createRegistry({ resolve: nodeResolver({ directory, allowOutside: true }) });
  // Reports a mistake in the configuration at the start.
  await registry.create(config, createEngineHost());
  const store = state === undefined || isDryRun ? null : conversationStore(state, now);
  const report = options.onProblem ?? (() => {});
  const models = await loadModelRegistry();
  const shared = {
    registry,
    config,
    windows,
    prices: (id: string) => models.prices(id),
    fetch,
    parse: (body: string | Uint8Array) => bodies.known(body)?.body,
    now,
    recall: options.recall ?? false,
    onEvent: (event: SessionEvent) => {
      const problem = problemIn(event);
      if (problem) report(problem);
    },
  };
  const asideMaker = sessionMaker({ ...shared, compacted: async () => {} });
  const maker = sessionMaker({
    ...shared,
    store: store?.sessions,
    async compacted(stored, stats) {
      await store?.write(stored).then(
        () => conversations.noteStored(stored),
        (error: NodeJS.ErrnoException) => report(`A conversation is not stored in ${state}: ${error.code}.`),
      );
      onCompaction?.(stats);
    },
  });
  const conversations = new Conversations(
    maker,
    asideMaker,
    options.limits ?? defaultLimits,
    (await store?.read()) ?? [],
  );
  return conversations;
}

/** The message to the user about an event that is a problem; `null` for other events. */
function problemIn(event: SessionEvent): string | null {
  switch (event.type) {
    case 'compress-failed':
      return `A conversation was not compacted: ${event.reason}`;
    case 'compress-blocked':
      return event.message;
    case 'compression-exhausted':
    case 'request-passed-through':
    case 'state-discarded':
      return event.reason;
    case 'store-failed':
      return `The state folder failed (${event.operation}): ${event.reason}`;
    default:
      return null;
  }
}
