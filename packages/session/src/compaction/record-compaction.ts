import type { Outcome } from '@palimpsest/core';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { CompactionRecord } from '../checkpoints/compaction-record.ts';
import type { CompactionTrigger } from '../events/session-event.ts';
import type { RequestView } from '../projection/request-view.ts';
import type { SessionParts } from '../session-parts.ts';

/** The data of a compaction record, without its sizes. */
export interface CompactionFacts {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly trigger: CompactionTrigger;
  readonly outcome: Outcome;
  readonly modelCalls: number;
  readonly durationMs: number;
}

/** Adds the record of a compaction to the log. */
export function recordCompaction(
  { events, log }: Pick<SessionParts, 'events' | 'log'>,
  { number, parent }: Pick<Checkpoint, 'number' | 'parent'>,
  { at, trigger, outcome, modelCalls, durationMs }: CompactionFacts,
  before: RequestView,
  after: RequestView,
): CompactionRecord {
  const replaced = log.records.find((record) => record.number === before.projection.checkpoint?.number);
  if (replaced?.aftermath)
    events.publish({ type: 'compaction-aftermath', checkpoint: replaced.number, ...replaced.aftermath });
  const record: CompactionRecord = {
    number,
    parent,
    at,
    trigger,
    outcome,
    tokensBefore: before.size.tokens,
    tokensAfter: after.size.tokens,
    messagesBefore: before.assembled.messages.length,
    messagesAfter: after.assembled.messages.length,
    modelCalls,
    durationMs,
    cachedShareBefore: log.cachedShare,
    cachedShareAfter: null,
    undone: false,
    historyMessages: after.projection.provenance.source.length,
  };
  log.add(record);
  return record;
}
