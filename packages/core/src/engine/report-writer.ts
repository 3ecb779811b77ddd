import type { EngineHost } from '../host/host.ts';
import type { Message } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import type { Applied } from '../plans/apply.ts';
import type { MessageOutcome } from '../plans/provenance.ts';
import type { CompressOptions } from './compress-options.ts';
import type { PlanSource } from './planner.ts';
import type { CompressReport, Outcome, PlanNotes } from './report.ts';
import { reportMessage } from './report-message.ts';

/** The data of one `compress` call that its report needs. */
export interface Pass {
  readonly engine: string;
  readonly transcript: Transcript;
  readonly source?: PlanSource | undefined;
  readonly asked: CompressOptions;
  readonly startedAt: number;
  readonly host: EngineHost;
}

/** Builds the report from the result and the planner's notes, and emits `compaction-phase` and `compaction-end` events. */
export function writeReport(
  pass: Pass,
  outcome: Outcome,
  applied: Applied<Message>,
  notes: PlanNotes = {},
  messageTokens: number = pass.transcript.totalTokens,
): CompressReport {
  const { engine, transcript, asked, startedAt, host } = pass;
  const overhead = asked.overheadTokens ?? 0;
  const tokensBefore = Math.round(transcript.totalTokens + overhead);
  const tokensAfter = Math.round(messageTokens + overhead);
  const count = (kind: MessageOutcome['kind']): number =>
    applied.provenance.source.filter((outcome) => outcome.kind === kind).length;
  const durationMs = host.clock.now() - startedAt;
  for (const { name, durationMs: took, reclaimedTokens } of outcome === 'aborted' ? [] : (notes.phases ?? []))
    host.emit({
      type: 'compaction-phase',
      engine,
      phase: name,
      durationMs: took,
      reclaimedTokens: Math.round(reclaimedTokens),
    });
  const { modelCalls = 0 } = notes;
  host.emit({ type: 'compaction-end', engine, outcome, tokensBefore, tokensAfter, modelCalls, durationMs });
  const report = {
    engine,
    reason: notes.reason ?? notes.failure?.message ?? defaultReason[outcome],
    tokensBefore,
    tokensAfter,
    overTargetTokens: asked.targetTokens === undefined ? 0 : Math.max(0, tokensAfter - asked.targetTokens),
    messagesBefore: applied.provenance.source.length,
    messagesAfter: applied.messages.length,
    kept: count('kept'),
    rewritten: count('rewritten'),
    carried: count('carried'),
    summarized: count('summarized'),
    dropped: count('dropped'),
    inserted: applied.provenance.output.filter((origin) => origin.kind === 'inserted').length,
    phases: notes.phases ?? [],
    modelCalls,
    summarizedBy: notes.summarizedBy ?? null,
    summaryTokens: Math.round(notes.summaryTokens ?? 0),
    warnings: notes.warnings ?? [],
    failure: notes.failure ?? null,
    auxiliaryFailure: notes.auxiliaryFailure ?? null,
    durationMs,
  };
  return { ...report, message: reportMessage(report) };
}

const defaultReason: Readonly<Record<Outcome, string>> = {
  compacted: 'The transcript was compacted.',
  degraded: 'The transcript was compacted without the requested summary.',
  unchanged: 'There was nothing to compact.',
  aborted: 'The compaction was aborted; the transcript is unchanged.',
};
