import { agentReader } from '@palimpsest/agents';
import { type Clock, createHost, type EngineHost, systemClock } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';
import { HandoffKey } from '../checkpoints/handoff-key.ts';
import { ConversationState } from '../conversation/conversation-state.ts';
import { EventPublisher } from '../hooks/event-publisher.ts';
import { HookRunner } from '../hooks/hook-runner.ts';
import { type ResolvedOptions, resolveOptions } from '../options/resolve-options.ts';
import type { SessionOptions } from '../options/session-options.ts';
import { RequestViewer } from '../projection/request-view.ts';
import { EngineSlot } from '../provider/engine-slot.ts';
import { ProviderState } from '../provider/provider-state.ts';
import { SessionRecall } from '../recall/session-recall.ts';
import { CompactionState } from './compaction-state.ts';

/** What a session is given. It does not change. */
interface SessionContext {
  readonly id: string;
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  /** Masks secrets. */
  readonly redact: (text: string) => string;
  /** The host that the engine is created with. */
  readonly host: EngineHost;
  readonly events: EventPublisher;
  readonly hooks: HookRunner;
}

/** The parts of a session. Each owns a piece of its state, and only operations that run one at a time change it. */
export interface SessionParts extends SessionContext {
  readonly engine: EngineSlot;
  readonly handoffKey: HandoffKey;
  readonly provider: ProviderState;
  readonly compactions: CompactionState;
  readonly conversation: ConversationState;
  readonly recall: SessionRecall;
  readonly viewer: RequestViewer;
}

/** @throws {PalimpsestError} `OPTION_INVALID` */
export function createParts(given: SessionOptions): SessionParts {
  const options = resolveOptions(given);
  const id = given.id ?? globalThis.crypto.randomUUID();
  const clock = given.clock ?? systemClock;
  const mask = given.redact ?? ((text: string) => redact(text, { boundary: true }));
  const events = new EventPublisher(id, clock, mask, given.hooks ?? {});
  const handoffKey = new HandoffKey(given.key, id);
  const tokens = given.tokens ?? createTokenCounter();
  const host = createHost({
    // A function, because restoring a state replaces the key.
    handoffKey: () => handoffKey.value,
    tokens,
    redact: mask,
    reader: given.reader ?? agentReader,
    clock,
    emit: (event) => {
      if (event.type === 'summary-end') compactions.spending.noteSummary(event.summarizer, event.usage);
      events.publish(event);
    },
    ...(given.isRequest ? { isRequest: given.isRequest } : {}),
    ...(given.dialect ? { dialect: given.dialect } : {}),
  });
  const engine = new EngineSlot();
  const provider = new ProviderState(given.model, engine, tokens);
  const compactions = new CompactionState(options, given.prices, host, events);
  const countText = (text: string): number => tokens.countText(text);
  const recall = new SessionRecall(options.recall, { id, clock, redact: mask, countText, events });
  const parts = { id, options, clock, redact: mask, host, events, engine, handoffKey, provider, compactions, recall };
  return {
    ...parts,
    hooks: new HookRunner(given.hooks ?? {}, options.hookTimeoutMs, clock, events),
    conversation: new ConversationState(clock, given.dialect),
    viewer: new RequestViewer(parts),
  };
}
