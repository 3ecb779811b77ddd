import type { ModelInfo } from '@palimpsest/core';
import type { ContextConfig, Registry } from '@palimpsest/registry';
import { createSession, type Session, type SessionEvent, type SessionStore } from '@palimpsest/session';
import type { FetchFunction } from '@palimpsest/session/fetch';
import type { ModelCounter, ModelPrices } from '@palimpsest/tokens/models';
import type { ModelWindows } from '../library/model-windows.ts';
import type { EventConversation } from '../proxy/events/proxy-event.ts';
import type { ConversationIndex } from './conversation-index.ts';
import type { ConversationStats } from './conversation-stats.ts';
import type { Identity } from './match.ts';
import type { PageCalls } from './page-calls.ts';

/** The services that all conversations of a proxy share. */
export interface SessionMaker {
  /** @param isHeldOut true to compact only what does not fit the window */
  session(id: string, model: string, isHeldOut?: boolean): Session;
  /** Share of the conversations that is held out. */
  readonly holdout: number;
  /** The window of a model; 0 when it is not known. Then the session learns it from the provider. */
  model(id: string): ModelInfo;
  /** The list prices of a model; `null` when they are not known. */
  prices(id: string): ModelPrices | null;
  /** Makes the calls. */
  readonly fetch: FetchFunction;
  /** Sends the requests for pages. */
  readonly page: PageCalls;
  /** False when the model cannot search what was removed. */
  readonly recall: boolean;
  /** Names the conversations, in the store of the sessions. */
  readonly index: ConversationIndex;
  /** Called after a compaction. */
  onCompaction(stats: ConversationStats): void;
  /** Called when a summary could not be used. */
  onSummaryFailed(conversation: EventConversation & Pick<Identity, 'scope'>, reason: string): void;
  now(): number;
}

/** What {@link sessionMaker} is created with. */
export interface SessionMakerOptions {
  readonly registry: Registry;
  readonly config: ContextConfig;
  readonly windows: ModelWindows;
  readonly prices: SessionMaker['prices'];
  /** Counts for all models. */
  readonly tokens: ModelCounter;
  readonly fetch: FetchFunction;
  readonly page: PageCalls;
  readonly recall: boolean;
  /** @default 0 */
  readonly holdout?: number | undefined;
  /** Who writes the summaries. */
  readonly summaries: 'model' | 'rules';
  /** @default memory */
  readonly store?: SessionStore | undefined;
  /** Called with every event of every session. */
  readonly onEvent: (event: SessionEvent) => void;
  readonly index: ConversationIndex;
  readonly onCompaction: SessionMaker['onCompaction'];
  readonly onSummaryFailed: SessionMaker['onSummaryFailed'];
  readonly now: () => number;
}

/** Creates the services that make the sessions of a proxy's conversations. */
export function sessionMaker({
  registry,
  config,
  windows,
  store,
  onEvent,
  summaries,
  tokens,
  holdout = 0,
  ...rest
}: SessionMakerOptions): SessionMaker {
  const model = (id: string): ModelInfo => windows(id) ?? { id, contextLength: 0 };
  return {
    ...rest,
    holdout,
    model,
    session: (id, name, isHeldOut) =>
      createSession({
        id,
        store,
        // An agent may have tools with the same names. Those calls are the agent's.
        recall: rest.recall ? undefined : false,
        prices: rest.prices,
        summaries,
        ...(isHeldOut ? { auto: 'window', shapeResults: false } : {}),
        tokens,
        model: model(name),
        engine: (host) => registry.create(config, host),
        hooks: { onEvent },
      }),
  };
}
