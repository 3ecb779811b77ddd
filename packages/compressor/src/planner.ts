import { type Budget, type EngineHost, isSystem } from '@palimpsest/core';
import type { EnginePlanner, Plan } from '@palimpsest/core/authoring';
import {
  behindPage,
  createPrunedDraft,
  type EnginePass,
  enoughTokens,
  type GroupRange,
  hasModel,
  initialSummaryState,
  isWorthModelCall,
  onProjection,
  type PrunedDraft,
  planPruneOnly,
  planPruning,
  promptTokensAfter,
  type SummaryState,
  summarizeMiddle,
  summaryTemplates,
  tokensOverTarget,
} from '@palimpsest/engine-kit';
import { compressorBudget } from './budget.ts';
import type { CompressorOptions } from './options.ts';
import { type Pass, startPass } from './pass.ts';

/** The state of the compressor, which survives a restart. */
export type CompressorState = SummaryState;

/** Plans in four steps: prune, find the middle, summarize it, put the handoff in its place. */
export function compressorPlanner(options: CompressorOptions, host: EngineHost): EnginePlanner<CompressorState> {
  return {
    initial: initialSummaryState,
    budget: (model) => withSummarizerWarning(compressorBudget(options, model), host),
    plan: ({ strikes, ...input }) => planPass(startPass(input, options, host), strikes),
    trigger: { minimumSaving: options.minimumSaving },
    status: ({ handoffDigest, carriedSummary: _, ...rest }) => ({ ...rest, hasSummary: handoffDigest !== null }),
  };
}

async function planPass(pass: Pass, strikes: number): Promise<Plan<CompressorState>> {
  const { asked, host } = pass;
  const paged = withPageTail(pass);
  const pruned = createPrunedDraft(paged);
  const { range } = pruned;
  const alone = (): PrunedDraft => (paged === pass ? pruned : createPrunedDraft(pass));
  const reason = range === null ? nothingBetween : reasonNotToSummarize(paged, pruned, range, strikes);
  if (range === null || reason !== null) return planPruneOnly(pass, alone(), { reason: reason ?? nothingBetween });
  const summarize = async (): Promise<Plan<CompressorState>> =>
    withHeadWarning(await summarizeMiddle(paged, pruned, range, planPruning(pass, alone)), pass, range);
  if (asked.effort !== 'free' || !hasModel(host)) return summarize();
  // If no model may be called, summarize only if pruning is not enough: a model's summary later is better than one by
  // rules now.
  const near = onProjection(pass);
  const whole = createPrunedDraft(near);
  if (!isSmallEnough(near, whole)) return summarize();
  const onlyPruned = 'Old output was only pruned, because the caller allows no model call.';
  return planPruneOnly(near, whole, { reason: onlyPruned });
}

/** The pass with the smaller tail behind a model's page, unless the options set a tail. */
function withPageTail(pass: Pass): Pass {
  return pass.options.tail === undefined ? behindPage(pass) : pass;
}

const nothingBetween = 'Everything since the last compaction lies in the protected head and tail.';

/** Returns the reason not to summarize, or `null`. The middle may be too small, or small after a pass that was a strike. */
function reasonNotToSummarize(pass: Pass, pruned: PrunedDraft, range: GroupRange, strikes: number): string | null {
  const { asked, options, budget, isFresh } = pass;
  const sourceTokens = freshTokens(pass, range);
  if (sourceTokens === 0 && pruned.targetSummary === null) return nothingBetween;
  if (strikes > 0 && !asked.force && sourceTokens < budget.thresholdTokens * 0.1)
    return 'The last pass saved little and hardly anything has been added, so no summary was requested.';
  // To meet a target, rules also summarize a middle that is not worth a model call.
  return pruned.targetSummary === null &&
    !isWorthModelCall(pruned.draft, range, summaryTemplates[options.template], isFresh)
    ? 'The part between the protected head and tail is too small to be worth a summary.'
    : null;
}

/** Tokens of the messages in a range of groups that no earlier summary covers. */
function freshTokens({ transcript, isFresh }: Pass, [from, to]: GroupRange): number {
  let tokens = 0;
  for (let at = transcript.groups[from]!.from; at < transcript.groups[to - 1]!.to; at++)
    if (isFresh(at)) tokens += transcript.tokens(at);
  return tokens;
}

/**
 * True if the draft meets the asked target or, without one, leaves room for work before the next pass. Otherwise
 * each of a row of passes would free less than the one before.
 */
function isSmallEnough({ asked, budget, projection }: EnginePass<SummaryState>, { draft }: PrunedDraft): boolean {
  if (asked.targetTokens !== undefined) return tokensOverTarget(draft, asked) === 0;
  const maxTokens = Math.min(budget.thresholdTokens, enoughTokens(projection, asked, budget));
  return promptTokensAfter(draft, asked) < maxTokens;
}

function withSummarizerWarning(budget: Budget, { summarizer }: EngineHost): Budget {
  const contextLength = summarizer?.contextLength;
  if (contextLength === undefined || contextLength >= budget.thresholdTokens) return budget;
  const warning = `The summarizer ${summarizer?.id} has a window of ${contextLength} tokens, less than the threshold of ${budget.thresholdTokens}, so a long middle is summarized in chunks.`;
  return { ...budget, warnings: [...(budget.warnings ?? []), warning] };
}

/**
 * Adds a warning to the first compaction of a conversation if `protectFirst` was set and kept no message. By default,
 * there is no warning: in most conversations of agents, no message can be kept.
 */
function withHeadWarning(
  plan: Plan<SummaryState>,
  { options: { protectFirst = 0 }, previousSummary, transcript }: Pass,
  [from]: GroupRange,
): Plan<SummaryState> {
  const isFirstSummary = previousSummary === null && plan.state.handoffDigest !== null;
  if (protectFirst === 0 || !isFirstSummary) return plan;
  const head = transcript.messages.slice(0, transcript.groups[from]!.from);
  if (!head.every(isSystem)) return plan;
  const warning = `protectFirst (${protectFirst}) kept no message: those that it keeps must fit their budget and end after an assistant message that calls no tools. To keep a message word for word, use pins.`;
  return { ...plan, notes: { ...plan.notes, warnings: [...(plan.notes?.warnings ?? []), warning] } };
}
