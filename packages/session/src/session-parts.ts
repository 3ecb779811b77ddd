import { agentReader } from '@palimpsest/agents';
import { type Clock, createHost, type EngineHost, type Message, systemClock } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';
import { CheckpointChain } from './checkpoints/checkpoint-chain.ts';
import { CompactionLog } from './checkpoints/compaction-log.ts';
import { requestProblem } from './checkpoints/request-problem.ts';
import { Spending } from './checkpoints/spending.ts';
import { AutomaticCompaction } from './compaction/automatic-compaction.ts';
import { Hygiene } from './compaction/hygiene.ts';
import { TurnLimits } from './compaction/turn-limits.ts';
import { EngineSlot } from './engine/engine-slot.ts';
import { EventPublisher } from './events/event-publisher.ts';
import { HookRunner } from './hooks/hook-runner.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import { ModelWindow } from './model/model-window.ts';
import { OutputCaps } from './model/output-caps.ts';
import { type ResolvedOptions, resolveOptions } from './options/resolve-options.ts';
import type { SessionOptions } from './options/session-options.ts';
import { HandoffKey } from './persistence/handoff-key.ts';
import { RequestViewer } from './projection/request-view.ts';
import { SessionRecall } from './recall/session-recall.ts';
import { Exchanges } from './recall/wire/exchanges.ts';
import { DroppedRequests } from './recovery/dropped-requests.ts';
import { StrippedContent } from './recovery/stripped-content.ts';
import { RecentRequests } from './request/recent-requests.ts';
import { LastRequest } from './riding/last-request.ts';
import { PromptMeter } from './usage/prompt-meter.ts';
import { TruncationCheck } from './usage/truncation-check.ts';

/**
 * The parts of a session. Each part owns one piece of its state. A function takes the parts it uses and names them in
 * its type: `Pick<SessionParts, 'events' | 'turns'>`. Only operations that run one at a time change a part.
 */
export interface SessionParts {
  readonly id: string;
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  /** Masks secrets. */
  readonly redact: (text: string) => string;
  /** The host that the engine is created with. */
  readonly host: EngineHost;
  readonly events: EventPublisher;
  readonly engine: EngineSlot;
  readonly model: ModelWindow;
  readonly caps: OutputCaps;
  readonly dropped: DroppedRequests;
  readonly meter: PromptMeter;
  readonly truncation: TruncationCheck;
  readonly chain: CheckpointChain;
  readonly log: CompactionLog;
  readonly spending: Spending;
  readonly turns: TurnLimits;
  readonly hygiene: Hygiene;
  readonly automatic: AutomaticCompaction;
  readonly hooks: HookRunner;
  readonly requests: RecentRequests;
  /** The last answered request, which a summarizer may send again to use its cache. */
  readonly lastRequest: LastRequest;
  readonly stripped: StrippedContent;
  readonly viewer: RequestViewer;
  readonly handoffKey: HandoffKey;
  readonly recall: SessionRecall;
  /** Calls that were answered inside fetches. */
  readonly exchanges: Exchanges;
  /** Repairs the caller's messages. */
  readonly intake: (source: readonly Message[]) => Intake;
}

/** @throws {PalimpsestError} `OPTION_INVALID` */
export function createParts(given: SessionOptions): SessionParts {
  const options = resolveOptions(given);
  const id = given.id ?? globalThis.crypto.randomUUID();
  const clock = given.clock ?? systemClock;
  const mask = given.redact ?? ((text: string) => redact(text, { boundary: true }));
  const events = new EventPublisher(id, clock, mask, given.hooks ?? {});
  const handoffKey = new HandoffKey(given.key, id);
  const spending = new Spending(given.prices);
  const meter = new PromptMeter(given.tokens ?? createTokenCounter());
  const host = createHost({
    // A function, because restoring a state replaces the key.
    handoffKey: () => handoffKey.value,
    tokens: meter.counter,
    redact: mask,
    reader: given.reader ?? agentReader,
    clock,
    emit: (event) => {
      if (event.type === 'summary-end') spending.noteSummary(event.summarizer, event.usage);
      events.publish(event);
    },
    ...(given.isRequest ? { isRequest: given.isRequest } : {}),
    ...(given.dialect ? { dialect: given.dialect } : {}),
  });
  const engine = new EngineSlot();
  const model = new ModelWindow(given.model, engine);
  const stripped = new StrippedContent();
  const requests = new RecentRequests();
  const lastRequest = new LastRequest({ clock, requests });
  const recall = new SessionRecall(options.recall, {
    id,
    clock,
    redact: mask,
    countText: (text) => meter.counter.countText(text),
    events,
  });
  const chain = new CheckpointChain(options.keepCheckpoints, {
    problemWith: (projection, messages) => requestProblem(projection, messages, host),
    dropped: ({ number }, reason) =>
      events.publish({ type: 'state-discarded', reason: `The stored compaction ${number} is not used. ${reason}` }),
  });
  return {
    id,
    options,
    clock,
    redact: mask,
    host,
    events,
    engine,
    model,
    caps: new OutputCaps(),
    dropped: new DroppedRequests(),
    meter,
    truncation: new TruncationCheck(),
    chain,
    log: new CompactionLog(),
    spending,
    turns: new TurnLimits(options),
    hygiene: new Hygiene(options),
    automatic: new AutomaticCompaction(),
    hooks: new HookRunner(given.hooks ?? {}, options.hookTimeoutMs, clock, events),
    requests,
    lastRequest,
    stripped,
    viewer: new RequestViewer(chain, stripped, model, meter, host.reader, { recall, handoffKey }),
    handoffKey,
    recall,
    exchanges: new Exchanges(),
    intake: createIntake(given.dialect ?? 'openai'),
  };
}
