import { apply } from './apply.ts';
import type {
  CompressRequest,
  CompressResult,
  ContextEngine,
  EnginePlanner,
  Plan,
  Settled,
  TokenState,
} from './engine.ts';
import type { EngineIdentity } from './engine-identity.ts';
import { engineStatus } from './engine-status.ts';
import type { EngineHost } from './host.ts';
import { maskedJson } from './masked-json.ts';
import type { Message } from './message.ts';
import { checkMessages } from './message-check.ts';
import { type Budget, isSameModel, type ModelInfo } from './model.ts';
import { checkModel } from './model-check.ts';
import { checkPlanHolds } from './plan-holds.ts';
import type { FailureReport, Outcome } from './report.ts';
import { type Pass, writeReport } from './report-writer.ts';
import { restoreSnapshot } from './restore-snapshot.ts';
import { isSettled, settle } from './settled.ts';
import { afterSwitch, afterUsage, atWindowOf, noTokens } from './token-state.ts';
import { Transcript } from './transcript.ts';
import {
  cancelledCooldownMs,
  clearStrikes,
  type Decision,
  decide,
  initialTrigger,
  recordFailure,
  recordPass,
  type TriggerState,
  triggerDefaults,
} from './trigger.ts';

/** The model assumed until `updateModel` is called. A medium-sized window is the safest guess. */
const unknownModel: ModelInfo = { id: 'unknown', contextLength: 128_000 };

/**
 * Builds the engine that hosts call from a planner: applies plans, checks the contract on every result, writes report
 * and provenance, keeps token state and trigger, and commits the planner's state only when its plan was applied.
 */
export function createEngine<S>(
  planner: EnginePlanner<S>,
  host: EngineHost,
  identity: EngineIdentity<S>,
): ContextEngine {
  const version = identity.stateVersion ?? 1;
  const figures = { ...triggerDefaults, ...planner.trigger };
  // Planner state ends up in snapshots and planner notes in reports, so both are masked here for every engine.
  const masked = <T>(value: T): T => maskedJson(value, (text) => host.redact(text));
  const initial = masked(planner.initial);
  let state = initial;
  let trigger: TriggerState = initialTrigger;
  let tokens: TokenState = noTokens;
  let settled: Settled | null = null;
  let model: ModelInfo | null = null;
  let blockAnnounced = false;
  // State restored from a snapshot is not trusted until a plan made with it has been committed.
  let unproven = false;
  // A reset while a plan is under way must not be undone by that plan's commit.
  let generation = 0;
  let queue: Promise<unknown> = Promise.resolve();

  let budget: Budget | null = null;
  // The last change of model or state; a pass waits for it.
  let changed: Promise<void> = Promise.resolve();

  /** The current budget, or the one of the unknown model before the first `updateModel`. */
  const currentBudget = async (): Promise<Budget> => {
    budget ??= await planner.budget(unknownModel);
    return budget;
  };

  const explain = (promptTokens = tokens.lastPromptTokens): Decision => {
    const size = { promptTokens, thresholdTokens: tokens.thresholdTokens, contextLength: tokens.contextLength };
    return planner.decide?.(size, state) ?? decide(size, trigger, host.clock.now(), figures);
  };

  const reset = (): void => {
    generation++;
    unproven = false;
    state = initial;
    trigger = initialTrigger;
    settled = null;
    blockAnnounced = false;
    tokens = atWindowOf(tokens, noTokens);
  };

  const discarded = (reason: string): void =>
    host.emit({ type: 'snapshot-discarded', engine: identity.name, reason: masked(reason) });

  /** Asks the planner for a plan; retries once from a clean state when it throws on a restored state. */
  const planFrom = async (
    transcript: Transcript,
    request: CompressRequest,
    source: readonly Message[] | undefined,
  ): Promise<Plan<S>> => {
    const input = { transcript, source, request, budget: await currentBudget(), strikes: trigger.strikes };
    try {
      const plan = await planner.plan({ ...input, state });
      if (unproven && plan.outcome !== 'aborted')
        checkPlanHolds(
          identity.name,
          transcript,
          apply(transcript.messages, plan.edits, transcript.groups),
          plan,
          host,
        );
      return plan;
    } catch (error) {
      if (!unproven || request.signal?.aborted) throw error;
      unproven = false;
      state = initial;
      const plan = await planner.plan({ ...input, state });
      discarded('The planner failed on the restored state and works from a clean one.');
      return plan;
    }
  };

  const compress = async <M extends Message>(
    messages: readonly M[],
    { source, ...asked }: CompressRequest,
  ): Promise<CompressResult<M>> => {
    const startedAt = host.clock.now();
    const started = generation;
    const transcript = Transcript.of(messages, host.tokens, host.isRequest);
    const coolingDown = trigger.cooldown !== null && startedAt < trigger.cooldown.until;
    const request: CompressRequest = {
      ...masked({ ...asked, signal: undefined }),
      signal: asked.signal,
      effort: coolingDown && !asked.force ? 'free' : (asked.effort ?? 'full'),
    };
    const pass: Pass = { engine: identity.name, transcript, request, startedAt, host };
    host.emit({
      type: 'compress-start',
      engine: identity.name,
      messages: messages.length,
      tokens: Math.round(transcript.totalTokens),
    });

    const untouched = (outcome: Outcome, notes: Plan<S>['notes']): CompressResult<M> => {
      const applied = apply(messages, [], transcript.groups);
      return {
        messages,
        outcome,
        edits: [],
        provenance: applied.provenance,
        report: writeReport(pass, outcome, applied, notes),
      };
    };
    if (request.signal?.aborted) return untouched('aborted', { failure: cancelled });
    if (isSettled(settled, transcript, request, tokens.thresholdTokens))
      return untouched('unchanged', { reason: 'Nothing has been added since the last compression.' });

    let plan: Plan<S>;
    try {
      const planned = await planFrom(transcript, request, source);
      plan = { ...planned, ...(planned.notes ? { notes: masked(planned.notes) } : {}) };
    } catch (error) {
      if (request.signal?.aborted) return untouched('aborted', { failure: cancelled });
      throw error;
    }
    const now = host.clock.now();
    const called = (plan.notes?.modelCalls ?? 0) > 0;
    if (request.signal?.aborted || generation !== started) {
      const waits = called && generation === started;
      if (waits) trigger = recordFailure(trigger, { ...cancelled, cooldownMs: cancelledCooldownMs }, now);
      return untouched('aborted', { ...plan.notes, failure: cancelled });
    }
    const { failure = null, auxiliaryFailure = null } = plan.notes ?? {};
    if (failure || called) trigger = recordFailure(trigger, failure, now, auxiliaryFailure);
    if (plan.outcome === 'aborted') {
      host.emit({
        type: 'summary-aborted',
        engine: identity.name,
        reason: plan.notes?.failure?.message ?? 'aborted',
      });
      return untouched('aborted', plan.notes);
    }

    const applied = apply(messages, plan.edits, transcript.groups);
    checkPlanHolds(identity.name, transcript, applied, plan, host);
    const before = transcript.totalTokens;
    const after =
      plan.edits.length === 0 ? before : Transcript.of(applied.messages, host.tokens, host.isRequest).totalTokens;
    const overhead = request.overheadTokens ?? 0;
    const wanted = (request.currentTokens ?? before + overhead) >= tokens.thresholdTokens && tokens.thresholdTokens > 0;
    if (request.force) trigger = clearStrikes(trigger);
    if (after >= before) {
      if (wanted && request.effort === 'full')
        trigger = recordPass(trigger, { saving: 0, dense: plan.edits.length === 0 }, now, figures);
      const grew =
        plan.edits.length > 0 ? { reason: 'The plan would not have saved anything, so it was not applied.' } : {};
      return untouched('unchanged', { ...plan.notes, ...grew });
    }
    const saving = (before - after) / (before + overhead);
    if (request.effort === 'full') trigger = recordPass(trigger, { saving, dense: !called }, now, figures);
    state = masked(plan.state);
    unproven = false;
    tokens = {
      ...tokens,
      lastPromptTokens: Math.round(after + overhead),
      compressionCount: tokens.compressionCount + 1,
    };
    settled = settle(applied.messages, request);
    // The handoff was written by rules because the summarizer is cooling down, so report the failure that caused that.
    const resting = coolingDown && request.effort === 'free' && plan.notes?.summarizedBy ? trigger.cooldown : null;
    const outcome = plan.outcome ?? (resting ? 'degraded' : 'compressed');
    const notes = resting ? { ...plan.notes, failure: plan.notes?.failure ?? resting.failure } : plan.notes;
    const { messages: output, provenance } = applied;
    return {
      messages: output,
      outcome,
      edits: plan.edits,
      provenance,
      report: writeReport(pass, outcome, applied, notes, after),
    };
  };

  /** Hosts call `status` and `decide` at any time, so a restored state on which they throw is rejected. */
  const answersFor = (restored: S): boolean => {
    try {
      planner.status?.(restored);
      planner.decide?.({ promptTokens: 0, thresholdTokens: 1, contextLength: 1 }, restored);
      return true;
    } catch {
      return false;
    }
  };

  return {
    name: identity.name,
    get state() {
      return tokens;
    },
    updateFromResponse(usage) {
      tokens = afterUsage(tokens, usage);
      if (usage.promptTokens < tokens.thresholdTokens) trigger = clearStrikes(trigger);
      const decision = explain();
      const blocked = decision.reason === 'cooldown' || decision.reason.startsWith('blocked');
      if (blocked && !blockAnnounced)
        host.emit({
          type: 'threshold-blocked',
          engine: identity.name,
          reason: decision.reason,
          message: decision.message,
        });
      blockAnnounced = blocked;
    },
    shouldCompress: (promptTokens) => explain(promptTokens).compress,
    explain,
    // Async, so that a refusal is a rejection like any other failure of this call.
    async compress(messages, request = {}) {
      checkMessages(messages);
      const ready = changed;
      const run = queue.then(() => ready).then(() => compress(messages, request));
      queue = run.catch(() => undefined);
      return run;
    },
    hasContentToCompress(messages) {
      if (!planner.hasContentToCompress || !budget) return true;
      const transcript = Transcript.of(messages, host.tokens, host.isRequest);
      return planner.hasContentToCompress({ transcript, budget, state });
    },
    async onSessionStart(info) {
      if (info.model) await this.updateModel(info.model);
      const begun = await planner.session?.start?.(info);
      if (begun !== undefined) state = masked(begun);
    },
    async onTurn(messages, usage) {
      await planner.session?.turn?.(messages, usage);
    },
    async onSessionEnd(messages) {
      await planner.session?.end?.(messages);
    },
    onSessionReset: reset,
    toolSchemas: () => planner.tools?.schemas ?? [],
    async handleToolCall(name, input, context) {
      const known = planner.tools?.schemas.some((schema) => schema.function.name === name);
      if (!planner.tools || !known) return JSON.stringify({ error: `Unknown context engine tool: ${name}` });
      return planner.tools.handle(name, input, context);
    },
    status: () => engineStatus(identity.name, model, tokens, trigger, explain(), masked(planner.status?.(state) ?? {})),
    async updateModel(next) {
      checkModel(next);
      if (model && isSameModel(model, next)) return changed;
      if (model) {
        trigger = clearStrikes(trigger);
        // Output that fit the old window may be too large for the new one.
        settled = null;
      }
      model = next;
      const given = planner.budget(next);
      const set = (known: Budget): void => {
        if (model !== next) return;
        budget = known;
        for (const message of masked(known.warnings ?? []))
          host.emit({ type: 'warning', engine: identity.name, message });
        tokens = afterSwitch(tokens, next, known);
      };
      if (given instanceof Promise) changed = given.then(set);
      else set(given);
      return changed;
    },
    snapshot: () =>
      structuredClone({ engine: identity.name, version, state: { planner: state, trigger, tokens, settled } }),
    async restore(snapshot) {
      reset();
      const started = generation;
      const given = restoreSnapshot(snapshot, identity, planner.initial);
      const take = (found: Awaited<typeof given>): void => {
        if (generation !== started) return;
        const restored = masked(found);
        const problem =
          'problem' in restored
            ? restored.problem
            : answersFor(restored.planner)
              ? null
              : 'The state of its planner is damaged.';
        if (problem !== null || 'problem' in restored) {
          discarded(problem!);
          return;
        }
        unproven = true;
        state = restored.planner;
        trigger = restored.trigger;
        settled = restored.settled;
        tokens = atWindowOf(tokens, restored.tokens);
      };
      if (given instanceof Promise) {
        const before = changed;
        changed = given.then(async (found) => {
          await before;
          take(found);
        });
      } else take(given);
      return changed;
    },
  };
}

const cancelled: FailureReport = { class: 'cancelled', message: 'The compression was cancelled.', cooldownMs: 0 };
