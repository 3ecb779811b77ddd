import type { EngineHost, FailureReport, LineSource, Summarizer } from '@palimpsest/core';
import { breakMarks } from '@palimpsest/core/authoring';
import { type Composed, composeHandoff, countGuaranteed, partToCarry } from './handoff/compose.ts';
import { pageLimit } from './handoff/page-limit.ts';
import { type HandoffRecord, readHandoffRecord } from './handoff/record.ts';
import { readPage } from './handoff/sections.ts';
import { draftSummary, type SummaryDraft } from './model/draft-summary.ts';
import { failureReport } from './model/failure-report.ts';
import type { DraftInput } from './model/summarizer-calls.ts';
import type { SummaryFailure } from './model/summary-failure.ts';
import { extractive } from './offline/extractive.ts';
import { writeFallback } from './offline/write-fallback.ts';
import { gatherSource, type Source, summaryMaterial } from './source/gather-source.ts';
import { lineSources, transcriptLines } from './source/line-sources.ts';
import type { SummaryInput } from './summary-input.ts';
import { completeTemplate, handoffTemplate } from './template/templates.ts';

/**
 * A summary, or the reason why there is none. `fallback`: every summarizer failed, and rules wrote the text; report it
 * as `degraded`. `aborted`: the caller cancelled or set `abortOnFailure`; leave the transcript unchanged.
 */
export type SummaryResult =
  | {
      readonly kind: 'written' | 'fallback';
      /** The text of the handoff. Redacted. */
      readonly body: string;
      /** The part of the body that cannot be rebuilt from the sources; `null` for none. Redacted. */
      readonly carriedSummary: string | null;
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
  const { engine, signal, timeoutMs } = input;
  const attempts: Attempts = { modelCalls: 0, failed: [] };
  for (const summarizer of summarizersOf(host, input.effort)) {
    const recorded = draftInput(input, summarizer.offline ?? false, host);
    const draft = await draftSummary(summarizer, recorded, { host, engine, signal, timeoutMs });
    attempts.modelCalls += draft.modelCalls;
    if ('text' in draft)
      return writeHandoff(
        input,
        recorded,
        { ...attempts, ...draft, summarizer, modelCalls: attempts.modelCalls },
        host,
      );
    attempts.failed.push({ summarizer, failure: draft.failure });
    if (draft.failure.class === 'cancelled') break;
  }
  return withoutSummary(input, draftInput(input, true, host), attempts, host);
}

/** The summarizers to ask, in order; the offline summarizer if the host has none that may be called. */
function summarizersOf(host: EngineHost, effort: SummaryInput['effort']): Iterable<Summarizer> {
  const both = [host.summarizer, host.fallbackSummarizer].filter((one) => one !== undefined);
  const allowed = effort === 'free' ? both.filter((one) => one.offline) : both;
  return allowed.length > 0 ? new Set(allowed) : [extractive({ countText: (text) => host.tokens.countText(text) })];
}

/** The input of a draft, with the record of the source. */
interface RecordedInput extends DraftInput {
  /** All sources. `source` contains only those that the summarizer reads. */
  readonly whole: Source;
  /** What rules add to a model's page; `null` for an offline summarizer. */
  readonly record: HandoffRecord | null;
  /** Maximum tokens of page and record together. */
  readonly handoffTokens: number;
}

/** Share of such a handoff that its page may fill. */
const [minPageShare, maxPageShare] = [0.5, 0.75] as const;

/**
 * @param offline true for rules, which read all sources; a model reads only those that the previous summary does not
 *   cover
 */
function draftInput(input: SummaryInput, offline: boolean, host: EngineHost): RecordedInput {
  const { transcript, sources, fresh = sources, previousSummary, memoryContext, pins = [] } = input;
  const { carriedSummary = previousSummary } = input;
  const handoffTokens = offline ? input.budgetTokens : tokensWithPage(input, host);
  const whole = gatherSource(transcript, sources, carriedSummary, host);
  const isWhole = offline || (fresh.length === sources.length && carriedSummary === previousSummary);
  const source = isWhole ? whole : gatherSource(transcript, fresh, previousSummary, host);
  const template = input.template ?? handoffTemplate;
  const focusTopic = input.focusTopic ? host.redact(input.focusTopic) : null;
  const record = offline
    ? null
    : readHandoffRecord(summaryMaterial(whole, template, focusTopic, pins), handoffTokens, true);
  const guaranteed = record ? countGuaranteed(record, handoffTokens) : 0;
  return {
    whole,
    source,
    template,
    record,
    handoffTokens,
    pins,
    budgetTokens: record
      ? Math.floor(
          Math.max(handoffTokens * minPageShare, Math.min(handoffTokens * maxPageShare, handoffTokens - guaranteed)),
        )
      : handoffTokens,
    focusTopic,
    memoryContext: memoryContext ? host.redact(memoryContext) : null,
  };
}

function tokensWithPage(
  { transcript, sources, previousSummary, budgetTokens }: SummaryInput,
  host: EngineHost,
): number {
  const replaced = sources.reduce((sum, at) => sum + transcript.tokens(at), 0);
  // A page does not shrink because its messages are not known any more.
  const before = previousSummary === null ? 0 : host.tokens.countText(previousSummary);
  return Math.min(budgetTokens, pageLimit(replaced, before));
}

/** What rules carry over because the sources do not contain it. */
function partToCarryOver(
  { previousSummary, carriedSummary = previousSummary }: SummaryInput,
  host: EngineHost,
): string | null {
  return carriedSummary === null ? null : host.redact(carriedSummary);
}

/** A draft with its summarizer, and the calls of all summarizers. */
type WrittenDraft = Extract<SummaryDraft, { readonly text: string }> & Attempts & { readonly summarizer: Summarizer };

function writeHandoff(
  input: SummaryInput,
  recorded: RecordedInput,
  { summarizer, modelCalls, failed, ...draft }: WrittenDraft,
  host: EngineHost,
): SummaryResult {
  const handoff = draft.hasRecord ? { ...draft, lines: draft.lines ?? [] } : onPage(recorded, draft, host);
  const body = host.redact(breakMarks(handoff.text));
  const byRules = summarizer.offline ?? false;
  const byModel =
    'page' in handoff ? partToCarry(handoff.page, recorded.whole.previousSummary, recorded.template) : body;
  const [auxiliary] = failed;
  return {
    kind: 'written',
    body,
    carriedSummary: byRules ? partToCarryOver(input, host) : byModel && host.redact(breakMarks(byModel)),
    by: draft.writer === undefined ? summarizer.id : host.redact(draft.writer),
    byRules,
    sources: lineSources(body, transcriptLines(handoff.lines, recorded.whole)),
    modelCalls,
    tokens: host.tokens.countText(body),
    warnings: draft.warnings.map((one) => host.redact(one)),
    failure: null,
    auxiliaryFailure: auxiliary ? failureReport(auxiliary.failure, auxiliary.summarizer, host.redact) : null,
  };
}

/** Writes the record next to a page. */
function onPage(
  { whole, template, record, handoffTokens: budgetTokens, pins, focusTopic }: RecordedInput,
  draft: { readonly text: string },
  host: EngineHost,
): Composed {
  const own = record ?? readHandoffRecord(summaryMaterial(whole, template, focusTopic, pins), budgetTokens, true);
  const page = readPage(draft.text, completeTemplate(template));
  const countText = (text: string): number => host.tokens.countText(text);
  const composed = composeHandoff(own, { template, budgetTokens, countText, page, focusTopic });
  return { ...composed, lines: own.material.positions(composed.lines) };
}

function withoutSummary(
  input: SummaryInput,
  { source, template, focusTopic, pins }: DraftInput,
  { modelCalls, failed }: Attempts,
  host: EngineHost,
): SummaryResult {
  const { engine, sources, budgetTokens, abortOnFailure } = input;
  const reports = failed.map(({ failure, summarizer }) => failureReport(failure, summarizer, host.redact));
  const failure = reports.at(-1)!;
  const auxiliaryFailure = reports.length > 1 ? reports[0]! : null;
  const shared = { modelCalls, failure, auxiliaryFailure, warnings: [] };
  if (abortOnFailure || failure.class === 'cancelled') return { kind: 'aborted', ...shared };
  host.emit({ type: 'summary-fallback', engine, reason: failure.message, removedMessages: sources.length });
  const material = summaryMaterial(source, template, focusTopic, pins);
  const countText = (text: string): number => host.tokens.countText(text);
  const { text, lines } = writeFallback(material, sources.length, budgetTokens, countText);
  const body = host.redact(breakMarks(text));
  const known = lineSources(body, transcriptLines(lines, source));
  return {
    kind: 'fallback',
    body,
    carriedSummary: partToCarryOver(input, host),
    by: 'fallback',
    byRules: true,
    sources: known,
    tokens: countText(body),
    ...shared,
  };
}
