import { contentText, type EngineHost, type FailureReport, type LineSource, type Summarizer } from '@palimpsest/core';
import { breakMarks } from '@palimpsest/core/authoring';
import { ground, restoredTokens } from './grounding/ground.ts';
import { draftSummary, type SummaryDraft } from './model/draft-summary.ts';
import { failureReport } from './model/failure-report.ts';
import type { DraftRequest } from './model/summarizer-calls.ts';
import type { SummaryFailure } from './model/summary-failure.ts';
import { extractive } from './offline/extractive.ts';
import { rulesShare } from './offline/fill-template.ts';
import { writeFallback } from './offline/write-fallback.ts';
import { noRecord, type RecordSections, recordOf, recordText } from './record/write-record.ts';
import { gatherSource, type Source, summaryMaterial } from './source/gather-source.ts';
import { lineSources, transcriptLines } from './source/line-sources.ts';
import type { SummaryInput } from './summary-input.ts';
import { handoffTemplate } from './template/templates.ts';

/**
 * A summary, or the reason why there is none. `fallback`: every summarizer failed, and rules wrote the text; report it
 * as `degraded`. `aborted`: the caller cancelled or set `abortOnFailure`; leave the transcript unchanged.
 */
export type SummaryResult =
  | {
      readonly kind: 'written' | 'fallback';
      /** The text of the handoff. Redacted. */
      readonly body: string;
      /** Id of the summarizer. */
      readonly by: string;
      /** True if rules wrote the text. */
      readonly byRules: boolean;
      /** Sources of the lines that rules wrote from certain messages. Other lines are about all messages. */
      readonly sources: readonly LineSource[];
      readonly modelCalls: number;
      /** Tokens of the body. */
      readonly tokens: number;
      readonly warnings: readonly string[];
      /** Why the fallback was needed; `null` if a summarizer wrote the text. */
      readonly failure: FailureReport | null;
      /** Why the first summarizer failed, if another one was asked; otherwise `null`. */
      readonly auxiliaryFailure: FailureReport | null;
    }
  | {
      readonly kind: 'aborted';
      readonly modelCalls: number;
      readonly failure: FailureReport;
      readonly auxiliaryFailure: FailureReport | null;
      readonly warnings: readonly string[];
    };

/** Model calls and failures of all summarizers together. */
interface Attempts {
  modelCalls: number;
  readonly failed: { readonly summarizer: Summarizer; readonly failure: SummaryFailure }[];
}

/**
 * Writes the summary that replaces the given messages. Asks the host's summarizer, then its fallback summarizer; if
 * both fail, rules write the text or the result is `aborted`. Never rejects because of a summarizer.
 */
export async function writeSummary(input: SummaryInput, host: EngineHost): Promise<SummaryResult> {
  const { engine, signal, timeoutMs = 120_000, totalMs = Infinity } = input;
  const deadline = host.clock.now() + totalMs;
  const attempts: Attempts = { modelCalls: 0, failed: [] };
  for (const summarizer of summarizersOf(host, input.effort)) {
    const request = draftRequest(input, summarizer.offline ?? false, host);
    const draft = await draftSummary(summarizer, request, { host, engine, signal, timeoutMs, deadline });
    attempts.modelCalls += draft.modelCalls;
    if ('text' in draft) return written(input, request, summarizer, draft, attempts, host);
    attempts.failed.push({ summarizer, failure: draft.failure });
    if (draft.failure.class === 'cancelled') break;
  }
  return withoutSummary(input, draftRequest(input, true, host), attempts, host);
}

/** The summarizers to ask, in order; the offline summarizer if the host has none that may be called. */
function summarizersOf(host: EngineHost, effort: SummaryInput['effort']): Iterable<Summarizer> {
  const both = [host.summarizer, host.fallbackSummarizer].filter((one) => one !== undefined);
  const allowed = effort === 'free' ? both.filter((one) => one.offline) : both;
  return allowed.length > 0 ? new Set(allowed) : [extractive({ countText: (text) => host.tokens.countText(text) })];
}

/** A request for a draft, with the record of the source. */
interface RecordedRequest extends DraftRequest {
  /** All sources. `source` contains only those that the summarizer reads. */
  readonly whole: Source;
  /** The sections that rules write into the summary; empty for an offline summarizer, which writes them itself. */
  readonly record: RecordSections;
}

/**
 * @param offline true for rules, which read all sources; a model reads only those that the previous summary does not
 *   cover
 */
function draftRequest(input: SummaryInput, offline: boolean, host: EngineHost): RecordedRequest {
  const { transcript, sources, fresh = sources, budgetTokens, memoryContext, pins = [] } = input;
  const whole = wholeSource(input, offline, host);
  const isAllFresh = fresh.length === sources.length;
  const source = offline || isAllFresh ? whole : gatherSource(transcript, fresh, input.previousSummary, host);
  const template = input.template ?? handoffTemplate;
  const focusTopic = input.focusTopic ? host.redact(input.focusTopic) : null;
  const isSource = new Set(sources);
  const pinTokens = pins.reduce((sum, index) => sum + (isSource.has(index) ? transcript.tokens(index) : 0), 0);
  // If the sources include messages that the previous summary covers, its record is not needed.
  const recorded = isAllFresh ? whole : { ...whole, previousSummary: null };
  const record = offline ? noRecord : recordOf(summaryMaterial(recorded, template, focusTopic), budgetTokens);
  const basis = { transcript, source: whole, template, record, budgetTokens, pins, focusTopic, memoryContext: null };
  const restored = offline ? restoredTokens(basis, host) - budgetTokens * rulesShare : 0;
  return {
    whole,
    source,
    template,
    record,
    facts: recordText(record, template),
    // Pinned texts and the record are added to the summary later, within the same budget.
    budgetTokens: Math.max(Math.floor(budgetTokens / 2), budgetTokens - pinTokens - record.tokens),
    reservedTokens: Math.max(0, restored),
    focusTopic,
    memoryContext: memoryContext ? host.redact(memoryContext) : null,
    userText: whole.messages
      .filter(({ real }) => real)
      .map(({ message }) => contentText(message.content))
      .join('\n'),
  };
}

/** Gathers all sources, with the earlier summary that rules or a model continue. */
function wholeSource(input: SummaryInput, offline: boolean, host: EngineHost): Source {
  const { transcript, sources, previousSummary, carriedSummary = previousSummary } = input;
  return gatherSource(transcript, sources, offline ? carriedSummary : previousSummary, host);
}

function written(
  input: SummaryInput,
  { whole, template, record, focusTopic, memoryContext }: RecordedRequest,
  summarizer: Summarizer,
  draft: Extract<SummaryDraft, { readonly text: string }>,
  { modelCalls, failed }: Attempts,
  host: EngineHost,
): SummaryResult {
  const { transcript, budgetTokens, pins = [] } = input;
  const offline = summarizer.offline ?? false;
  const grounding = {
    transcript,
    source: whole,
    template,
    record,
    lines: transcriptLines([...(draft.lines ?? []), ...[...record.lines.values()].flat()], whole),
    budgetTokens,
    pins,
    focusTopic,
    memoryContext,
    offline,
  };
  const { body, sources, warnings } = ground(draft.text, grounding, host);
  const [auxiliary] = failed;
  return {
    kind: 'written',
    body,
    by: summarizer.id,
    byRules: offline,
    sources,
    modelCalls,
    tokens: host.tokens.countText(body),
    warnings: [...draft.warnings, ...warnings],
    failure: null,
    auxiliaryFailure: auxiliary ? failureReport(auxiliary.failure, auxiliary.summarizer, host.redact) : null,
  };
}

function withoutSummary(
  { engine, sources, budgetTokens, abortOnFailure }: SummaryInput,
  { source, template, focusTopic }: DraftRequest,
  { modelCalls, failed }: Attempts,
  host: EngineHost,
): SummaryResult {
  const reports = failed.map(({ failure, summarizer }) => failureReport(failure, summarizer, host.redact));
  const failure = reports.at(-1)!;
  const auxiliaryFailure = reports.length > 1 ? reports[0]! : null;
  const shared = { modelCalls, failure, auxiliaryFailure, warnings: [] };
  if (abortOnFailure || failure.class === 'cancelled') return { kind: 'aborted', ...shared };
  host.emit({ type: 'summary-fallback', engine, reason: failure.message, removedMessages: sources.length });
  const material = summaryMaterial(source, template, focusTopic);
  const countText = (text: string): number => host.tokens.countText(text);
  const { text, lines } = writeFallback(material, sources.length, budgetTokens, countText);
  const body = host.redact(breakMarks(text));
  const known = lineSources(body, transcriptLines(lines, source));
  return { kind: 'fallback', body, by: 'fallback', byRules: true, sources: known, tokens: countText(body), ...shared };
}
