import type { Outcome } from '@palimpsest/core';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { CompactionRecord, CompactionTrigger } from '../events/compaction-record.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';

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
  parts: SessionParts,
  { number, parent }: Pick<Checkpoint, 'number' | 'parent'>,
  { at, trigger, outcome, modelCalls, durationMs }: CompactionFacts,
  { before, after }: { readonly before: RequestView; readonly after: RequestView },
): CompactionRecord {
  const { log, spending } = parts.compactions;
  publishAftermath(parts, before.projection.checkpoint?.number ?? null);
  const summaries = spending.takeSummaries(modelCalls);
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
    dollars: summaries === null ? null : { summaries, paid: 0, uncompacted: 0 },
    historyMessages: after.projection.provenance.source.length,
  };
  log.add(record);
  return record;
}

/** Publishes what the agent did while a compaction was in effect, if anything is known. */
export function publishAftermath({ compactions: { log }, events }: SessionParts, checkpoint: number | null): void {
  const record = log.records.find(({ number }) => number === checkpoint);
  if (!record?.aftermath) return;
  const { summaries, paid, uncompacted } = record.dollars ?? {};
  const isPriced = paid !== undefined && paid > 0;
  events.publish({
    type: 'compaction-aftermath',
    checkpoint: record.number,
    ...record.aftermath,
    ...(isPriced ? { summaryDollars: summaries, paidDollars: paid, uncompactedDollars: uncompacted } : {}),
  });
}
