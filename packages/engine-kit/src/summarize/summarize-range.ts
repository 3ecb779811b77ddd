import {
  type CompressOptions,
  contentWithoutHandoff,
  type EngineHost,
  isSystem,
  readAnyHandoff,
  type SummaryTemplate,
} from '@palimpsest/core';
import { type Draft, writeHandoff } from '@palimpsest/core/authoring';
import {
  compactionTemplate,
  formatSummary,
  handoffTemplate,
  resumptionTemplate,
  type SummarizedMessages,
  type SummarizeMessagesInput,
  summarizeMessages,
} from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/find-summarized-range.ts';
import { writesByRules } from '../source/writes-by-rules.ts';

/** The name of a built-in template, as options state it. */
export type TemplateName = 'handoff' | 'compaction' | 'resumption';

/** The built-in templates of a summary, by name. */
export const summaryTemplates: Readonly<Record<TemplateName, SummaryTemplate>> = {
  handoff: handoffTemplate,
  compaction: compactionTemplate,
  resumption: resumptionTemplate,
};

/** Input of {@link summarizeRange}: that of `summarizeMessages`, except what follows from the call and the host. */
export interface SummarizeRangeInput
  extends Omit<
    SummarizeMessagesInput,
    'groups' | 'template' | 'memoryContext' | 'effort' | 'abortOnFailure' | 'signal' | 'timeoutMs'
  > {
  readonly asked: CompressOptions;
  readonly range: GroupRange;
  readonly template: TemplateName;
  /** Topic to keep in detail if the call names none. */
  readonly focusTopic?: string | undefined;
  /** True: abort if no model could write a summary and the call does not say otherwise. @default false */
  readonly abortOnFailure?: boolean | undefined;
}

/** Minimum tokens of a model's summary; less is not worth a call. */
const minSummaryTokens = 100;

/**
 * Replaces a range of a draft with a handoff, written by the host's summarizer. Rules write it if there is no
 * summarizer, if the caller allows no model call, or if the range or the summary is too small for one.
 * @returns `larger` when the handoff would not be smaller than the range; the draft is then unchanged
 */
export function summarizeRange(input: SummarizeRangeInput, host: EngineHost): Promise<SummarizedMessages> {
  const { draft, asked, range, focusTopic, abortOnFailure = false, ...rest } = input;
  const template = summaryTemplates[input.template];
  return summarizeMessages(
    {
      ...rest,
      draft,
      groups: range,
      template,
      focusTopic: asked.focusTopic ?? focusTopic,
      memoryContext: asked.memoryContext,
      effort: callsModel(input, host) ? (asked.effort ?? 'full') : 'free',
      abortOnFailure: asked.abortOnSummaryFailure ?? abortOnFailure,
      signal: asked.signal,
    },
    host,
  );
}

/** True if {@link summarizeRange} asks a model for the summary. */
export function callsModel(
  { draft, asked, range, budgetTokens, template, isFresh }: SummarizeRangeInput,
  host: EngineHost,
): boolean {
  if (writesByRules(host, asked) || budgetTokens < minSummaryTokens) return false;
  return isWorthModelCall(draft, range, summaryTemplates[template], isFresh);
}

/** A range is worth a model call from this many times the size of an empty handoff. */
const minHandoffs = 2;

/**
 * True if a range is worth a model call: its turns have at least twice the tokens of an empty handoff. A smaller range
 * stays, or rules summarize it to meet a target.
 */
export function isWorthModelCall(
  draft: Draft,
  range: GroupRange,
  template: SummaryTemplate,
  isFresh: (index: number) => boolean = () => true,
): boolean {
  const sections = formatSummary(
    template.sections.map(() => 'None.'),
    template,
  );
  const empty = draft.transcript.counter.countText(writeHandoff(sections));
  return tokensSummarized(draft, range, isFresh) >= empty * minHandoffs;
}

/**
 * Tokens in the draft of the turns that summarizing a range would remove: all but system messages, earlier handoffs and
 * the current task.
 */
function tokensSummarized(draft: Draft, [from, to]: GroupRange, isFresh: (index: number) => boolean): number {
  const { groups, messages, task, reader } = draft.transcript;
  let tokens = 0;
  for (let group = from; group < to; group++) {
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) {
      const message = messages[at]!;
      if (!isFresh(at) || isSystem(message) || (task && at >= task.from && at < task.to)) continue;
      const rest = readAnyHandoff(message, reader) ? contentWithoutHandoff(message, reader) : null;
      if (rest === null) tokens += draft.currentTokens(at);
      else if (rest.length > 0) tokens += draft.transcript.countMessage({ ...message, content: rest }, at);
    }
  }
  return tokens;
}
