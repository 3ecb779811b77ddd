import {
  type Budget,
  type CompressRequest,
  Draft,
  type EngineHost,
  type EnginePlanner,
  type ModelInfo,
  type PhaseReport,
  type Plan,
  type Transcript,
} from '@palimpsest/core';
import { pruneInto } from '@palimpsest/pruner';
import {
  compactionTemplate,
  condense,
  handoffTemplate,
  rehydrate,
  resumptionTemplate,
  summaryBudget,
} from '@palimpsest/summary';
import { pruneCompactBudget } from './budget.ts';
import type { PruneCompactOptions } from './options.ts';
import { compactRange } from './tail.ts';

/** What outlives a restart. */
export interface PruneCompactState {
  /** Passes in which pruning was enough, and passes that compacted. */
  readonly pruned: number;
  readonly compacted: number;
  readonly lastSummaryError: string | null;
}

const templates = { handoff: handoffTemplate, compaction: compactionTemplate, resumption: resumptionTemplate };

/** Put behind the summary when a turn was under way, so that nobody waits for an answer that never comes. */
const continuation =
  'A turn was under way when these notes were taken: go on with it if there are next steps, otherwise stop and ask what to do.';

/** Prune first; compact only what is still too large. */
export function pruneCompactPlanner(options: PruneCompactOptions, host: EngineHost): EnginePlanner<PruneCompactState> {
  let budget: Budget = pruneCompactBudget(options, { id: 'unknown', contextLength: 128_000 });

  const prune = (draft: Draft): PhaseReport => {
    const started = host.clock.now();
    const report = pruneInto(draft, {
      adaptive: { contextLength: budget.contextLength },
      ...(options.protectTokens === undefined ? {} : { protect: { tokens: options.protectTokens } }),
      keepTurns: options.protectTurns,
      isRequest: host.isRequest,
      ...(options.minimumTokens === undefined ? {} : { minimum: options.minimumTokens }),
      ...(options.protectTools === undefined ? {} : { protectTools: options.protectTools }),
      placeholder: options.placeholder,
      redact: (text) => host.redact(text),
    });
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
    const phases = [prune(draft)];
    const limit = Math.min(request.targetTokens ?? Number.POSITIVE_INFINITY, budget.thresholdTokens);
    const before = request.currentTokens ?? transcript.totalTokens + (request.overheadTokens ?? 0);
    const size = before - (transcript.totalTokens - draft.tokens);
    const enough = size <= limit && !(request.force && draft.isEmpty);
    const onlyPruned = (reason: string): Plan<PruneCompactState> => ({
      edits: draft.edits(),
      state: { ...state, pruned: state.pruned + (draft.isEmpty ? 0 : 1) },
      notes: { phases, reason },
    });
    if (enough)
      return onlyPruned(
        draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : 'Pruning was enough.',
      );
    if (request.effort === 'free' && host.summarizer && !host.summarizer.offline)
      return onlyPruned('Only pruning was allowed: no model call.');

    const { previousSummary, at: handoffAt } = rehydrate(transcript);
    const tailTokens = tailFor(transcript, request, budget);
    const groups = compactRange({
      draft,
      request,
      isRequest: host.isRequest,
      turns: options.protectTurns,
      tailTokens,
      handoffAt,
    });
    if (!groups) return onlyPruned('Everything since the last compaction lies in the protected tail.');
    const sourceTokens = transcript.tokensOfGroups(...groups);
    const condensed = await condense(
      {
        draft,
        groups,
        engine: 'prune-compact',
        previousSummary,
        template: templates[options.template],
        budgetTokens: summaryBudget({ sourceTokens, contextLength: budget.contextLength, thresholdTokens: limit }),
        focusTopic: request.focusTopic,
        memoryContext: request.memoryContext,
        effort: request.effort ?? 'full',
        abortOnFailure: options.abortOnSummaryFailure,
        signal: request.signal,
        closing: transcript.messages.at(-1)?.role === 'user' ? undefined : continuation,
      },
      host,
    );
    const { notes } = condensed;
    if (condensed.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes };
    return {
      edits: draft.edits(),
      state: { ...state, compacted: state.compacted + 1, lastSummaryError: notes.failure?.message ?? null },
      ...(condensed.kind === 'fallback' ? { outcome: 'degraded' as const } : {}),
      notes: {
        reason: 'Pruning was not enough, so the older turns were compacted.',
        ...notes,
        phases: [...phases, ...(notes.phases ?? [])],
      },
    };
  };

  return {
    initial: { pruned: 0, compacted: 0, lastSummaryError: null },
    budget(model: ModelInfo) {
      budget = pruneCompactBudget(options, model);
      return budget;
    },
    plan,
    status: (state) => ({ ...state }),
  };
}

/** The tail's budget; under a target what is left of it beside what must stay and a quarter for the handoff. */
function tailFor(transcript: Transcript, request: CompressRequest, budget: Budget): number {
  if (request.targetTokens === undefined) return budget.tailTokens;
  const must = (request.overheadTokens ?? 0) + transcript.fixedTokens;
  return Math.max(0, Math.min(budget.tailTokens, Math.floor(request.targetTokens * 0.75) - must));
}
