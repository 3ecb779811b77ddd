import { createEngineHost, type Registry } from '@palimpsest/registry';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { loadModelRegistry, type ModelCounter } from '@palimpsest/tokens/models';
import type { ModelWindows } from '../library/model-windows.ts';
import type { ProblemLog } from '../proxy/problem-log.ts';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { ConversationIndex } from './conversation-index.ts';
import { Conversations, defaultLimits } from './conversations.ts';
import { tenantOf } from './opening.ts';
import { pageCalls } from './page-calls.ts';
import { type SessionMaker, sessionMaker } from './session-maker.ts';

/** What the sessions of a proxy use. */
export interface ProxyServices {
  readonly registry: Registry;
  readonly windows: ModelWindows;
  readonly tokens: ModelCounter;
  /** Makes the calls of the sessions. */
  readonly fetch: FetchFunction;
  /** Notes what goes wrong in the sessions. */
  readonly problems: ProblemLog;
}

/**
 * Opens the conversations of a proxy: it finds those in its store when their next request comes.
 * @returns the conversations, and the name of their engine
 * @throws {PalimpsestError} for an engine that cannot be created
 */
export async function openConversations(
  options: ProxyOptions,
  { registry, windows, tokens, fetch, problems }: ProxyServices,
): Promise<{ readonly conversations: Conversations; readonly engine: string }> {
  const { config, isObserving, onCompaction } = options;
  const now = options.now ?? Date.now;
  // Reports a mistake in the configuration at the start.
  const { name: engine } = await registry.create(config, createEngineHost());
  const store = isObserving ? undefined : options.store;
  const models = await loadModelRegistry();
  const shared = {
    registry,
    config,
    windows,
    prices: (id: string) => options.prices ?? models.prices(id),
    tokens,
    fetch,
    page: pageCalls(fetch),
    now,
    recall: options.recall ?? true,
    holdout: options.holdout ?? 0,
    // Observing costs nothing.
    summaries: isObserving ? ('rules' as const) : (options.summaries ?? 'model'),
    onEvent: problems.note.bind(problems),
    onSummaryFailed: ({ id, isHeldOut, scope }: Parameters<SessionMaker['onSummaryFailed']>[0], reason: string) =>
      options.onEvent?.({
        type: 'summary-failed',
        tenant: tenantOf({ scope }).slice(0, -1) || null,
        conversation: { id, isHeldOut },
        reason,
      }),
  };
  const asideMaker = sessionMaker({ ...shared, index: new ConversationIndex(), onCompaction: () => {} });
  const maker = sessionMaker({
    ...shared,
    store: store?.sessions,
    index: new ConversationIndex(store, problems),
    onCompaction: (stats) => onCompaction?.(stats),
  });
  return { conversations: new Conversations(maker, asideMaker, options.limits ?? defaultLimits), engine };
}
