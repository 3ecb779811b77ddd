import {
  type Budget,
  type CompressRequest,
  type EngineHost,
  hasToolCalls,
  isToolResult,
  type ModelInfo,
  type PhaseReport,
} from '@palimpsest/core';
import { Draft, type EnginePlanner, type Plan, type PlanNotes, type Transcript } from '@palimpsest/core/authoring';
import { type PrunePolicy, pruneInto } from '@palimpsest/pruner';
import {
  compactionTemplate,
  condense,
  handoffTemplate,
  isWorthModelCall,
  rehydrate,
  resumptionTemplate,
  summaryBudget,
} from '@palimpsest/summary';
import { pruneCompactBudget } from './budget.ts';
import type { PruneCompactOptions } from './options.ts';
import { prunePolicy } from './prune-policy.ts';
import { compactRange } from './tail.ts';

/** What outlives a restart. */
export interface PruneCompactState {
  /** Passes in which pruning was enough, and passes that compacted. */
  readonly pruned: number;
  readonly compacted: number;
  /** Messages that went without a summary, in all. */
  readonly droppedWithoutSummary: number;
  /** True when the last summary was written by rules, because no model could. */
  readonly fallbackUsed: boolean;
  /** The last summary written, used to recognize its handoff; absent in states of older versions. */
  readonly previousSummary?: string | null | undefined;
}

const templates = { handoff: handoffTemplate, compaction: compactionTemplate, resumption: resumptionTemplate };

/** Put behind the summary when a turn was under way, so that nobody waits for an answer that never comes. */
const continuation =
  'A turn was under way when these notes were taken: go on with it if there are next steps, otherwise stop and ask what to do.';

/** Prune first; compact only what is still too large. */
export function pruneCompactPlanner(options: PruneCompactOptions, host: EngineHost): EnginePlanner<PruneCompactState> {
  let budget: Budget = pruneCompactBudget(options, { id: 'unknown', contextLength: 128_000 });

  const policy = ({ messages }: Transcript, { keepLastExchanges = 0 }: CompressRequest): PrunePolicy =>
    prunePolicy(messages, options, budget.contextLength, host, keepLastExchanges);

  const prune = (draft: Draft, request: CompressRequest): PhaseReport => {
    const started = host.clock.now();
    const report = pruneInto(draft, policy(draft.transcript, request));
    const messages = !report.committed
      ? 0
      : Object.values(report.strategies).reduce((sum, strategy) => sum + (strategy?.count ?? 0), 0);
    return { name: 'prune', durationMs: host.clock.now() - started, reclaimedTokens: report.reclaimedTokens, messages };
  };

  const plan = async (
    transcript: Transcript,
    request: CompressRequest,
    state: PruneCompactState,
  ): Promise<Plan<PruneCompactState>> => {
    const draft = new Draft(transcript);
    const phases = [prune(draft, request)];
    const limit = Math.min(request.targetTokens ?? Number.POSITIVE_INFINITY, budget.thresholdTokens);
    const before = request.currentTokens ?? transcript.totalTokens + (request.overheadTokens ?? 0);
    const size = before - (transcript.totalTokens - draft.tokens);
    const onlyPruned = (reason: string, notes: PlanNotes = {}): Plan<PruneCompactState> => ({
      edits: draft.edits(),
      state: { ...state, pruned: state.pruned + (draft.isEmpty ? 0 : 1) },
      ...(notes.failure && !draft.isEmpty ? { outcome: 'degraded' as const } : {}),
      notes: { ...notes, phases, reason },
    });
    if (size <= limit && !(request.force && draft.isEmpty))
      return onlyPruned(
        draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : 'Pruning was enough.',
      );
    const callsModel = host.summarizer !== undefined && !host.summarizer.offline;
    // Below the limit, `force` alone folds nothing if the model may not be called.
    if (request.effort === 'free' && callsModel && size <= limit)
      return onlyPruned('Only pruning was allowed: no model call.');

    const { previousSummary, at: handoffAt } = rehydrate(transcript, {
      handoffKey: host.handoffKey,
      remembered: state.previousSummary,
    });
    const groups = compactRange({
      draft,
      request,
      isRequest: host.isRequest,
      dialect: host.dialect,
      turns: options.protectTurns,
      tailTokens: budget.tailTokens,
      handoffAt,
    });
    if (!groups) return onlyPruned('Everything since the last compaction lies in the protected tail.');
    const template = templates[options.template];
    const isWorth = isWorthModelCall(draft, groups, template);
    // To meet a target, rules also fold a range that is not worth a model call.
    if (!isWorth && request.targetTokens === undefined)
      return onlyPruned('What lies before the protected tail is too little to be worth a summary.');
    const folded = transcript.groups[groups[1] - 1]!.to - transcript.groups[groups[0]]!.from;
    const sourceTokens = transcript.tokensOfGroups(...groups);
    const condensed = await condense(
      {
        draft,
        groups,
        engine: 'prune-compact',
        previousSummary,
        template,
        budgetTokens: summaryBudget({ sourceTokens, contextLength: budget.contextLength, thresholdTokens: limit }),
        focusTopic: request.focusTopic,
        memoryContext: request.memoryContext,
        effort: isWorth ? (request.effort ?? 'full') : 'free',
        abortOnFailure: options.abortOnSummaryFailure,
        signal: request.signal,
        closing: isUnderWay(transcript) ? continuation : undefined,
      },
      host,
    );
    const { notes } = condensed;
    if (condensed.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes };
    if (condensed.kind === 'larger') return onlyPruned(condensed.notes.reason, notes);
    const fallback = condensed.kind === 'fallback';
    return {
      edits: draft.edits(),
      state: {
        ...state,
        compacted: state.compacted + 1,
        droppedWithoutSummary: state.droppedWithoutSummary + (fallback ? folded : 0),
        fallbackUsed: fallback,
        previousSummary: condensed.body,
      },
      ...(fallback ? { outcome: 'degraded' as const } : {}),
      notes: {
        ...notes,
        reason: fallback
          ? 'Pruning was not enough, and no model could write a summary: a summary by rules replaces the older turns.'
          : 'Pruning was not enough, so the older turns were compacted.',
        phases: [...phases, ...(notes.phases ?? [])],
      },
    };
  };

  return {
    initial: { pruned: 0, compacted: 0, droppedWithoutSummary: 0, fallbackUsed: false },
    budget(model: ModelInfo) {
      budget = pruneCompactBudget(options, model);
      return budget;
    },
    plan,
    hasContentToCompress(transcript) {
      const draft = new Draft(transcript);
      if (pruneInto(draft, policy(transcript, {})).committed) return true;
      return (
        compactRange({
          draft,
          request: {},
          isRequest: host.isRequest,
          dialect: host.dialect,
          turns: options.protectTurns,
          tailTokens: budget.tailTokens,
          handoffAt: rehydrate(transcript).at,
        }) !== null
      );
    },
    status: ({ previousSummary: _, ...rest }) => rest,
  };
}

/** True when somebody waits for the model: its last word is a call, or a result it has not reacted to yet. */
function isUnderWay({ messages, request }: Transcript): boolean {
  const last = messages.findLastIndex(({ role }, at) => role !== 'user' || (request !== null && at < request.to));
  if (last < 0 || messages[last]!.role === 'user') return false;
  return isToolResult(messages[last]!) || hasToolCalls(messages[last]!);
}
