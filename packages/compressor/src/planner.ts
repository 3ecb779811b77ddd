import {
  type Budget,
  type CompressRequest,
  contentText,
  type EngineHost,
  type EnginePlanner,
  type ModelInfo,
  type Plan,
  type PlanNotes,
  type Transcript,
} from '@palimpsest/core';
import {
  compactionTemplate,
  condense,
  handoffTemplate,
  rehydrate,
  resumptionTemplate,
  summaryBudget,
} from '@palimpsest/summary';
import { compressorBudget } from './budget.ts';
import { hasMiddle, isPrunedAsWell, type OpeningInput, open, openNear } from './opening.ts';
import type { CompressorOptions } from './options.ts';
import { toTarget } from './prune-phase.ts';
import { noteSystemPrompt } from './system-note.ts';

/** What outlives a restart. */
export interface CompressorState {
  /** The summary as last written; the handoff in the transcript has the say. */
  readonly previousSummary: string | null;
  /** Messages that went without a summary, in all. */
  readonly droppedWithoutSummary: number;
  /** True when local notes stand in for the last summary. */
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
    const { groups, aim, land } = opening;
    const sourceTokens = groups ? transcript.tokensOfGroups(...groups) : 0;
    const withoutFold = (notes: PlanNotes & { readonly reason: string }): Plan<CompressorState> => {
      const { input, phases } = opening.reach > 0 ? open(given) : opening;
      const { draft } = input;
      if (aim) phases.push(...toTarget(input, land.tailTokens, aim.linesOf));
      const reason = draft.isEmpty ? notes.reason : `Old tool output was shortened. ${notes.reason}`;
      // What only memory knows, and no handoff here confirms, belongs to another session.
      const remembered = previousSummary === null ? null : state.previousSummary;
      return {
        edits: draft.edits(),
        state: { ...state, previousSummary: remembered },
        ...(notes.failure && !draft.isEmpty ? { outcome: 'degraded' as const } : {}),
        notes: { ...notes, phases, reason },
      };
    };
    const stop = reasonToStop(sourceTokens, request, context?.strikes ?? 0, budget, host);
    if (groups === null || stop !== null) return withoutFold({ reason: stop! });
    const { input, phases } = opening;
    const { draft } = input;
    const condensed = await condense(
      {
        draft,
        groups,
        engine: 'compressor',
        previousSummary,
        template: templates[options.template],
        budgetTokens: aim ? aim.handoffTokens(sourceTokens) : summaryBudget({ sourceTokens, ...budget }),
        focusTopic: request.focusTopic ?? options.focusTopic,
        memoryContext: request.memoryContext,
        pins: pinned(transcript, options.pins),
        effort: request.effort ?? 'full',
        abortOnFailure: options.abortOnSummaryFailure,
        signal: request.signal,
      },
      host,
    );
    const { notes } = condensed;
    if (condensed.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes };
    if (condensed.kind === 'larger') return withoutFold(condensed.notes);
    if (opening.reach > 0 && isPrunedAsWell(given, opening, condensed.reclaimedTokens)) {
      const { modelCalls, warnings, failure, auxiliaryFailure } = notes;
      return withoutFold({ modelCalls, warnings, failure, auxiliaryFailure, reason: noSmaller });
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
          ? 'No summary could be had, so local notes stand in for the middle of the transcript.'
          : 'The middle of the transcript was folded into a handoff.',
      },
    };
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

const noSmaller =
  'The handoff would have been larger than what it replaces once that is pruned, so nothing was folded.';

/** Why the middle is left alone, or `null`: nothing in it, too little of it while a strike stands, or no model allowed. */
function reasonToStop(
  sourceTokens: number,
  request: CompressRequest,
  strikes: number,
  budget: Budget,
  host: EngineHost,
): string | null {
  if (sourceTokens === 0) return 'Everything since the last compaction lies in the protected head and tail.';
  if (strikes > 0 && !request.force && sourceTokens < budget.thresholdTokens * 0.1)
    return 'The last pass saved little and hardly anything has been added, so no summary was asked for.';
  const free = host.summarizer === undefined || host.summarizer.offline;
  return request.effort === 'free' && !free ? 'Only pruning was allowed: no model call.' : null;
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
