import { formatNumber } from '../format-number.ts';
import type { Outcome } from '../host/event.ts';
import type { EngineHost } from '../host/host.ts';
import type { Message } from '../messages/message.ts';
import type { Applied } from '../plans/apply.ts';
import type { MessageOutcome } from '../plans/provenance.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { CompressOptions } from './compress-options.ts';
import type { PlanSource } from './planner.ts';
import type { CompressReport, FailureReport, PlanNotes } from './report.ts';

/** The data of one `compress` call that its report needs. */
export interface Pass {
  readonly engine: string;
  readonly transcript: Transcript;
  readonly source?: PlanSource | undefined;
  readonly asked: CompressOptions;
  readonly startedAt: number;
  readonly host: EngineHost;
  /** The failure that started the current cooldown; `null` outside a cooldown. */
  readonly coolingDownFrom: FailureReport | null;
}

/** What a report is written from, besides the result. */
interface ReportInput {
  readonly notes?: PlanNotes | undefined;
  /** Tokens of the messages after the pass. @default those before it */
  readonly messageTokens?: number | undefined;
}

/** Builds the report from the result and the planner's notes, and emits `compaction-phase` and `compaction-end` events. */
export function writeReport(
  pass: Pass,
  outcome: Outcome,
  applied: Applied<Message>,
  { notes = {}, messageTokens = pass.transcript.totalTokens }: ReportInput,
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

/** Formats a report as text for a user: reason, savings, losses and cost. Contains no conversation text. */
function reportMessage(report: Omit<CompressReport, 'message'>): string {
  const { reason, failure, auxiliaryFailure, overTargetTokens, warnings } = report;
  const sentences = [
    reason,
    describeSaving(report),
    describeMessages(report),
    describeDropped(report),
    describeCalls(report),
  ];
  if (failure && failure.message !== reason) sentences.push(failure.message);
  if (auxiliaryFailure) sentences.push(`The auxiliary summarizer failed first: ${auxiliaryFailure.message}`);
  if (overTargetTokens > 0) sentences.push(`The target was missed by ${formatNumber(overTargetTokens)} tokens.`);
  return [...sentences, ...warnings].filter((sentence) => sentence !== '').join(' ');
}

function describeSaving({ tokensBefore, tokensAfter }: Omit<CompressReport, 'message'>): string {
  if (tokensAfter >= tokensBefore) return '';
  const share = Math.round((1 - tokensAfter / tokensBefore) * 100);
  return `The prompt went from ${formatNumber(tokensBefore)} to ${formatNumber(tokensAfter)} tokens (${share} % less).`;
}

function describeMessages(report: Omit<CompressReport, 'message'>): string {
  const { messagesBefore, kept, rewritten, carried, summarized, summarizedBy, summaryTokens } = report;
  const parts = [
    rewritten > 0 ? `${formatNumber(rewritten)} shortened` : '',
    summarized > 0 ? `${formatNumber(summarized)} summarized` : '',
    carried > 0 ? `${formatNumber(carried)} carried verbatim` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  const by =
    summarized > 0 && summarizedBy !== null
      ? ` The summary of ${formatNumber(summaryTokens)} tokens was written by ${summarizedBy}.`
      : '';
  return `Of ${countMessages(messagesBefore)}, ${formatNumber(kept)} stayed unchanged, ${parts.join(', ')}.${by}`;
}

function describeDropped({ dropped }: Omit<CompressReport, 'message'>): string {
  return dropped === 0 ? '' : `${countMessages(dropped)} ${dropped === 1 ? 'was' : 'were'} dropped without a summary.`;
}

function describeCalls({ modelCalls }: Omit<CompressReport, 'message'>): string {
  return modelCalls === 0 ? 'No model was called.' : `It took ${modelCalls} model call${modelCalls === 1 ? '' : 's'}.`;
}

function countMessages(count: number): string {
  return `${formatNumber(count)} message${count === 1 ? '' : 's'}`;
}
