import {
  contentText,
  type EngineHost,
  type FailureReport,
  type Summarizer,
  type SummaryTemplate,
} from '@palimpsest/core';
import { breakMarks, type Transcript } from '@palimpsest/core/authoring';
import { ground } from './grounding/ground.ts';
import { draftSummary } from './model/draft-summary.ts';
import type { Failure } from './model/failure-class.ts';
import { failureReport } from './model/failure-report.ts';
import { extractive } from './offline/extractive.ts';
import { writeFallback } from './offline/write-fallback.ts';
import { gatherSource } from './source/gather-source.ts';
import { materialOf } from './source/material.ts';
import { handoffTemplate } from './template/templates.ts';

/** What is to be summarized, and how. */
export interface SummaryInput {
  readonly transcript: Transcript;
  /** Indices of the messages to condense, in order: the originals, never stubs. */
  readonly sources: readonly number[];
  /** The body of the summary so far, to be brought up to date; `null` the first time. */
  readonly previousSummary: string | null;
  /** @default {@link handoffTemplate} */
  readonly template?: SummaryTemplate | undefined;
  /** What the summary may hold, in tokens. */
  readonly budgetTokens: number;
  /** Named in events. */
  readonly engine: string;
  readonly focusTopic?: string | undefined;
  /** What the host's memory wants the summary to know; quoted as data. */
  readonly memoryContext?: string | undefined;
  /** Indices of messages whose text the summary has to carry word for word. */
  readonly pins?: readonly number[] | undefined;
  /** `free`: only writers that call no model. */
  readonly effort: 'free' | 'full';
  /** Leave the transcript alone when no summary can be had, instead of inserting the fallback. */
  readonly abortOnFailure: boolean;
  readonly signal?: AbortSignal | undefined;
  /** How long one call of a model may take. @default 120_000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * A summary, or why there is none. `fallback`: every summarizer failed, with any class of failure, and rules wrote the
 * text; report it as `degraded`. `aborted`: leave the transcript as it is, because the caller cancelled or asked for
 * `abortOnFailure`.
 */
export type SummaryResult =
  | {
      readonly kind: 'written' | 'fallback';
      /** The text to frame as a handoff. Redacted. */
      readonly body: string;
      /** The writer's id. */
      readonly by: string;
      readonly modelCalls: number;
      /** Tokens of the body. */
      readonly tokens: number;
      readonly warnings: readonly string[];
      /** Why the fallback was needed; `null` for a written summary. */
      readonly failure: FailureReport | null;
      /** The failure of an auxiliary summarizer whose work the main model did; `null` when there was none. */
      readonly auxiliaryFailure: FailureReport | null;
    }
  | {
      readonly kind: 'aborted';
      readonly modelCalls: number;
      readonly failure: FailureReport;
      readonly auxiliaryFailure: FailureReport | null;
      readonly warnings: readonly string[];
    };

/**
 * Writes the summary that replaces the given messages. Never rejects for what a summarizer does: its failures are
 * results. The order is the host's summarizer, once more the main model, then rules or nothing.
 */
export async function writeSummary(input: SummaryInput, host: EngineHost): Promise<SummaryResult> {
  const template = input.template ?? handoffTemplate;
  const { engine, signal, timeoutMs = 120_000 } = input;
  const source = gatherSource(input.transcript, input.sources, input.previousSummary, host);
  const pins = input.pins ?? [];
  const pinTokens = pins.reduce(
    (sum, index) => sum + (input.sources.includes(index) ? input.transcript.tokens(index) : 0),
    0,
  );
  const request = {
    source,
    template,
    budgetTokens: Math.max(Math.floor(input.budgetTokens / 2), input.budgetTokens - pinTokens),
    focusTopic: input.focusTopic ? host.redact(input.focusTopic) : null,
    memoryContext: input.memoryContext ? host.redact(input.memoryContext) : null,
    userText: source.messages
      .filter(({ real }) => real)
      .map(({ message }) => contentText(message.content))
      .join('\n'),
  };
  const countText = (text: string): number => host.tokens.countText(text);
  const offline = extractive({ countText });
  let modelCalls = 0;
  const failed: { writer: Summarizer; failure: Failure }[] = [];
  for (const writer of writers(host, input.effort, offline)) {
    const draft = await draftSummary(writer, request, { host, engine, signal, timeoutMs });
    modelCalls += draft.modelCalls;
    if ('text' in draft) {
      const { body, warnings } = ground(
        draft.text,
        {
          transcript: input.transcript,
          source,
          template,
          budgetTokens: input.budgetTokens,
          pins,
          focusTopic: request.focusTopic,
          memoryContext: request.memoryContext,
          offline: writer.offline ?? false,
        },
        host,
      );
      const auxiliary = failed[0];
      return {
        kind: 'written',
        body,
        by: writer.id,
        modelCalls,
        tokens: countText(body),
        warnings: [...draft.warnings, ...warnings],
        failure: null,
        auxiliaryFailure: auxiliary ? failureReport(auxiliary.failure, auxiliary.writer, host.redact) : null,
      };
    }
    failed.push({ writer, failure: draft.failure });
    if (draft.failure.class === 'cancelled') break;
  }
  const last = failed.at(-1)!;
  const failure = failureReport(last.failure, last.writer, host.redact);
  const auxiliaryFailure = failed.length > 1 ? failureReport(failed[0]!.failure, failed[0]!.writer, host.redact) : null;
  // Only `abortOnFailure` and the caller's cancel leave the transcript as it is; otherwise rules write a fallback.
  if (input.abortOnFailure || failure.class === 'cancelled')
    return { kind: 'aborted', modelCalls, failure, auxiliaryFailure, warnings: [] };
  host.emit({ type: 'summary-fallback', engine, reason: failure.message, removedMessages: input.sources.length });
  const material = materialOf(source, template, request.focusTopic);
  const fallback = writeFallback(material, input.sources.length, input.budgetTokens, countText);
  const body = host.redact(breakMarks(fallback));
  return {
    kind: 'fallback',
    body,
    by: 'fallback',
    modelCalls,
    tokens: countText(body),
    warnings: [],
    failure,
    auxiliaryFailure,
  };
}

/** Who is asked, in order. */
function writers(host: EngineHost, effort: 'free' | 'full', offline: Summarizer): Summarizer[] {
  const chain = [host.summarizer, host.fallbackSummarizer].filter((writer) => writer !== undefined);
  const different = chain.filter((writer, index) => chain.indexOf(writer) === index);
  const allowed = effort === 'free' ? different.filter((writer) => writer.offline) : different;
  return allowed.length > 0 ? allowed : [offline];
}
