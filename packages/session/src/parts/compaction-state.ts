import type { EngineHost } from '@palimpsest/core';
import { CheckpointChain } from '../checkpoints/checkpoint-chain.ts';
import { CompactionLog } from '../checkpoints/compaction-log.ts';
import { requestProblem } from '../checkpoints/request-problem.ts';
import { Spending } from '../checkpoints/spending.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { EventPublisher } from '../hooks/event-publisher.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { SessionOptions } from '../options/session-options.ts';
import { Hygiene } from './hygiene.ts';
import { TurnLimits } from './turn-limits.ts';

/** State that affects the next automatic compaction. */
class AutomaticCompaction {
  /** True after `undo`, until the prompt no longer fits the window. Pauses automatic compaction. */
  isHeld = false;
  /** An overflow that was reported inside a stream. The next request is compacted first. */
  pendingRefusal: ProviderFailure | null = null;

  clear(): void {
    this.isHeld = false;
    this.pendingRefusal = null;
  }
}

/** The compactions of a session: those in effect, their records, and what decides about the next one. */
export class CompactionState {
  readonly chain: CheckpointChain;
  readonly log: CompactionLog = new CompactionLog();
  readonly spending: Spending;
  readonly automatic: AutomaticCompaction = new AutomaticCompaction();
  readonly hygiene: Hygiene;
  readonly turns: TurnLimits;
  /** How often the conversation was forgotten. A preview made before that is not used. */
  forgotten = 0;

  constructor(options: ResolvedOptions, prices: SessionOptions['prices'], host: EngineHost, events: EventPublisher) {
    this.chain = new CheckpointChain(options.keepCheckpoints, {
      problemWith: (projection, messages) => requestProblem(projection, messages, host),
      onDrop: ({ number }, reason) =>
        events.publish({ type: 'state-discarded', reason: `The stored compaction ${number} is not used. ${reason}` }),
    });
    this.spending = new Spending(prices);
    this.hygiene = new Hygiene(options);
    this.turns = new TurnLimits(options);
  }

  /** True for a session that has not compacted anything yet. */
  get isUntouched(): boolean {
    return this.chain.checkpoints.length === 0 && this.log.records.length === 0;
  }

  /** Forgets the conversation. The records stay. */
  forget(): void {
    this.forgotten++;
    this.chain.set([]);
    this.log.forgetCachedShare();
    this.automatic.clear();
    this.turns.clear();
    this.hygiene.restore({ failures: 0, until: 0 }, null);
  }
}
