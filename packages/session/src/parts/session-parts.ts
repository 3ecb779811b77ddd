import { agentReader } from '@palimpsest/agents';
import { type Clock, createHost, type EngineHost, systemClock } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { createModelCounter, type ModelCounter } from '@palimpsest/tokens/models';
import { HandoffKey } from '../checkpoints/handoff-key.ts';
import { ConversationState } from '../conversation/conversation-state.ts';
import { RememberedRounds } from '../conversation/remembered-rounds.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import { EventPublisher } from '../hooks/event-publisher.ts';
import { HookRunner } from '../hooks/hook-runner.ts';
import { type ResolvedOptions, resolveOptions } from '../options/resolve-options.ts';
import type { SessionOptions } from '../options/session-options.ts';
import { isSharedStore } from '../options/session-store.ts';
import { PageWriter } from '../pages/page-writer.ts';
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
  /** The summarizer that calls a model; `null` when rules write the summaries. */
  readonly pages: PageWriter | null;
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
  const engine = new EngineSlot();
  const provider = new ProviderState(given.model, engine, counterOf(given.tokens));
  const tokens = provider.meter.counter;
  const isShared = isSharedStore(given.store);
  const conversation = new ConversationState(clock, given.dialect, new RememberedRounds(mask, isShared));
  const countText = (text: string): number => tokens.countText(text);
  const { summaries } = options;
  const isByRules = summaries === 'rules' || (typeof summaries === 'object' && summaries.offline === true);
  const pages = isByRules
    ? null
    : new PageWriter(summaries === 'model' ? null : summaries, {
        clock,
        events,
        redact: mask,
        lastRequest: conversation.lastRequest,
        compacting: () => conversation.requests.compacting?.intake.messages ?? [],
        newerThan: (sent) => newerThan(sent, conversation.requests.compacting, compactions.chain),
        noteLate(summarizer, usage) {
          compactions.spending.noteSummary(summarizer, usage);
          events.publish({ type: 'summary-late', summarizer, ...(usage ? { usage } : {}) });
        },
        model: () => provider.model,
      });
  const host = createHost({
    // A function, because restoring a state replaces the key.
    handoffKey: () => handoffKey.value,
    tokens,
    redact: mask,
    reader: given.reader ?? agentReader,
    clock,
    // At the start, there is no request whose model could be asked.
    get summarizer() {
      if (!pages) return typeof summaries === 'object' ? summaries : undefined;
      return pages.isReady ? pages : undefined;
    },
    emit: (event) => {
      if (event.type === 'summary-end') compactions.spending.noteSummary(event.summarizer, event.usage);
      events.publishOfPlan(event);
    },
    ...(given.isFromPerson ? { isFromPerson: given.isFromPerson } : {}),
    ...(given.dialect ? { dialect: given.dialect } : {}),
  });
  const compactions = new CompactionState(options, given.prices, host, events);
  const recall = new SessionRecall(options.recall, { id, clock, redact: mask, countText, events });
  const context = { id, options, clock, redact: mask, host, events };
  const parts = { ...context, engine, handoffKey, provider, compactions, conversation, recall, pages };
  return {
    ...parts,
    hooks: new HookRunner(given.hooks ?? {}, options.hookTimeoutMs, clock, events),
    viewer: new RequestViewer(parts),
  };
}

function counterOf(tokens: SessionOptions['tokens']): ModelCounter {
  if (tokens === undefined) return createModelCounter;
  return typeof tokens === 'function' ? tokens : () => tokens;
}

/** See `newerThan` of the parts of a page writer. */
function newerThan(
  { checkpoint, input }: SentRequest,
  compacting: RequestInput | null,
  chain: CompactionState['chain'],
): number | null {
  const before = input.intake.messages;
  const now = compacting?.intake.messages ?? [];
  const goesOn = now.length >= before.length && fingerprint(now, before.length) === fingerprint(before);
  return goesOn && (chain.newest(now)?.number ?? null) === checkpoint ? now.length - before.length : null;
}
