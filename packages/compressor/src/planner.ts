import { type Budget, type CompressRequest, contentText, type EngineHost, type ModelInfo } from '@palimpsest/core';
import type { Draft, EnginePlanner, Plan, PlanNotes, Transcript } from '@palimpsest/core/authoring';
import {
  compactionTemplate,
  condense,
  handoffTemplate,
  isWorthModelCall,
  rehydrate,
  resumptionTemplate,
  summaryBudget,
} from '@palimpsest/summary';
import { compressorBudget } from './budget.ts';
import { overTarget } from './landing.ts';
import { hasMiddle, isPrunedAsWell, type Opening, type OpeningInput, open, openNear } from './opening.ts';
import type { CompressorOptions } from './options.ts';
import { toTarget } from './prune-phase.ts';
import { noteSystemPrompt } from './system-note.ts';

/** What outlives a restart. */
export interface CompressorState {
  /** The summary as last written; the handoff in the transcript has the say. */
  readonly previousSummary: string | null;
  /** Messages that went without a summary, in all. */
  readonly droppedWithoutSummary: number;
  /** True when the last summary was written by rules, because no model could. */
  readonly fallbackUsed: boolean;
}

const initial: CompressorState = {
  previousSummary: null,
  droppedWithoutSummary: 0,
  fallbackUsed: false,
};

const templates = { handoff: handoffTemplate, compaction: compactionTemplate, resumption: resumptionTemplate };

/** Head, summarized middle, tail: prune, bound, summarize, assemble. */
export function compressorPlanner(options: CompressorOptions, host: EngineHost): EnginePlanner<CompressorState> {
  let budget: Budget = compressorBudget(options, { id: 'unknown', contextLength: 128_000 });

  const plan: EnginePlanner<CompressorState>['plan'] = async (transcript, request, state, context) => {
    const { previousSummary, at: handoffAt } = rehydrate(transcript, {
      handoffKey: host.handoffKey,
      remembered: state.previousSummary,
    });
    const given: OpeningInput = { transcript, request, options, host, budget, previousSummary, handoffAt };
    const opening = openNear(given);
    const { groups } = opening;
    if (groups === null) return withoutFold(given, opening, state, { reason: nothingBetween });
    const stop = reasonToStop(opening, groups, given, context?.strikes ?? 0);
    if (stop !== null) return withoutFold(given, opening, state, { reason: stop });
    if (request.effort !== 'free' || callsNoModel(host)) return fold(given, opening, groups, state);
    // Without a model call, fold only if pruning is not enough: a model summary later is better than a work record now.
    const pruned = open(given);
    const alone = withoutFold(given, pruned, state, { reason: 'Only pruning was allowed: no model call.' });
    return isSmallEnough(pruned.input.draft, request, budget) ? alone : fold(given, opening, groups, state);
  };

  return {
    initial,
    budget(model: ModelInfo) {
      budget = withSummarizerWarning(compressorBudget(options, model), host);
      return budget;
    },
    plan,
    trigger: { minimumSaving: options.minimumSaving },
    hasContentToCompress(transcript) {
      const { previousSummary, at: handoffAt } = rehydrate(transcript, { handoffKey: host.handoffKey });
      return hasMiddle({ transcript, request: {}, options, host, budget, previousSummary, handoffAt });
    },
    status: ({ previousSummary, ...rest }) => ({ ...rest, hasSummary: previousSummary !== null }),
  };
}

const nothingBetween = 'Everything since the last compaction lies in the protected head and tail.';
const noSmaller =
  'The handoff would have been larger than what it replaces once that is pruned, so nothing was folded.';

/** Folds the middle into a handoff and, with a target, cuts the rest of the transcript to it. */
async function fold(
  given: OpeningInput,
  opening: Opening,
  groups: readonly [from: number, to: number],
  state: CompressorState,
): Promise<Plan<CompressorState>> {
  const { transcript, request, options, host, budget, previousSummary } = given;
  const { input, phases, aim, land } = opening;
  const { draft } = input;
  const sourceTokens = transcript.tokensOfGroups(...groups);
  const template = templates[options.template];
  const condensed = await condense(
    {
      draft,
      groups,
      engine: 'compressor',
      previousSummary,
      template,
      budgetTokens: aim ? aim.handoffTokens(sourceTokens) : summaryBudget({ sourceTokens, ...budget }),
      focusTopic: request.focusTopic ?? options.focusTopic,
      memoryContext: request.memoryContext,
      pins: pinned(transcript, options.pins),
      effort: isWorthModelCall(draft, groups, template) ? (request.effort ?? 'full') : 'free',
      abortOnFailure: options.abortOnSummaryFailure,
      signal: request.signal,
    },
    host,
  );
  const { notes } = condensed;
  if (condensed.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes };
  if (condensed.kind === 'larger') return withoutFold(given, opening, state, condensed.notes);
  if (opening.reach > 0 && isPrunedAsWell(given, opening, condensed.reclaimedTokens)) {
    const { modelCalls, warnings, failure, auxiliaryFailure } = notes;
    return withoutFold(given, opening, state, { modelCalls, warnings, failure, auxiliaryFailure, reason: noSmaller });
  }
  if (options.systemNote) noteSystemPrompt(draft);
  phases.push(...(notes.phases ?? []), ...(aim ? toTarget(input, land.tailTokens, aim.linesOf) : []));
  const fallback = condensed.kind === 'fallback';
  const folded = transcript.groups[groups[1] - 1]!.to - transcript.groups[groups[0]]!.from;
  return {
    edits: draft.edits(),
    state: {
      previousSummary: condensed.body,
      droppedWithoutSummary: state.droppedWithoutSummary + (fallback ? folded : 0),
      fallbackUsed: fallback,
    },
    ...(fallback ? { outcome: 'degraded' as const } : {}),
    notes: {
      ...notes,
      phases,
      reason: fallback
        ? 'No model could write a summary, so a summary by rules replaces the middle of the transcript.'
        : 'The middle of the transcript was folded into a handoff.',
    },
  };
}

/** The plan that only prunes and folds nothing. */
function withoutFold(
  given: OpeningInput,
  opening: Opening,
  state: CompressorState,
  notes: PlanNotes & { readonly reason: string },
): Plan<CompressorState> {
  const { input, phases } = opening.reach > 0 ? open(given) : opening;
  const { draft } = input;
  if (opening.aim) phases.push(...toTarget(input, opening.land.tailTokens, opening.aim.linesOf));
  const reason = draft.isEmpty ? notes.reason : `Old tool output was shortened. ${notes.reason}`;
  // A remembered summary that no handoff in this transcript confirms belongs to another session.
  const remembered = given.previousSummary === null ? null : state.previousSummary;
  return {
    edits: draft.edits(),
    state: { ...state, previousSummary: remembered },
    ...(notes.failure && !draft.isEmpty ? { outcome: 'degraded' as const } : {}),
    notes: { ...notes, phases, reason },
  };
}

/** Returns the reason not to fold, or `null`: the middle is too small, or small and the last pass was a strike. */
function reasonToStop(
  { input, aim }: Opening,
  groups: readonly [from: number, to: number],
  { transcript, request, options, budget }: OpeningInput,
  strikes: number,
): string | null {
  const sourceTokens = transcript.tokensOfGroups(...groups);
  if (sourceTokens === 0) return nothingBetween;
  if (strikes > 0 && !request.force && sourceTokens < budget.thresholdTokens * 0.1)
    return 'The last pass saved little and hardly anything has been added, so no summary was asked for.';
  // To meet a target, rules also fold a middle that is not worth a model call.
  return aim === null && !isWorthModelCall(input.draft, groups, templates[options.template])
    ? 'What lies between the protected head and tail is too little to be worth a summary.'
    : null;
}

function callsNoModel(host: EngineHost): boolean {
  return host.summarizer === undefined || host.summarizer.offline === true;
}

/** True if the draft meets the target of the request or, without one, is below the threshold. */
function isSmallEnough(draft: Draft, request: CompressRequest, budget: Budget): boolean {
  if (request.targetTokens !== undefined) return overTarget(draft, request) === 0;
  const { totalTokens } = draft.transcript;
  const before = request.currentTokens ?? totalTokens + (request.overheadTokens ?? 0);
  return before - (totalTokens - draft.tokens) < budget.thresholdTokens;
}

/** Indices of the messages that contain one of the phrases. */
function pinned(transcript: Transcript, phrases: readonly string[]): number[] {
  if (phrases.length === 0) return [];
  return [...transcript.messages.keys()].filter((index) => {
    const text = contentText(transcript.messages[index]!.content);
    return phrases.some((phrase) => text.includes(phrase));
  });
}

function withSummarizerWarning(budget: Budget, host: EngineHost): Budget {
  const reads = host.summarizer?.contextLength;
  if (reads === undefined || reads >= budget.thresholdTokens) return budget;
  const warning = `The summarizer ${host.summarizer?.id} reads ${reads} tokens at once, less than the threshold of ${budget.thresholdTokens}: long middles are summarized in chunks.`;
  return { ...budget, warnings: [...(budget.warnings ?? []), warning] };
}
