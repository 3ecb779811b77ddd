import { PalimpsestError } from '../errors.ts';
import type { Outcome } from '../host/event.ts';
import type { EngineHost } from '../host/host.ts';
import type { Message } from '../messages/message.ts';
import { type Applied, apply } from '../plans/apply.ts';
import type { Edit } from '../plans/edit.ts';
import { maskEdits } from '../plans/mask-edits.ts';
import { Transcript } from '../transcript/transcript.ts';
import { checkBudget } from './check-budget.ts';
import type { CompressOptions } from './compress-options.ts';
import type { CompressResult } from './engine.ts';
import { changeTrigger, type EngineState, setDefaultBudget, type Transition, takePlan } from './engine-state.ts';
import { assumedWindow, type ModelInfo } from './model.ts';
import { littleRoomWarning } from './next-threshold.ts';
import { basisOf, checkPlanHolds } from './plan-holds.ts';
import { planSource } from './plan-source.ts';
import type { EnginePlanner, Plan } from './planner.ts';
import type { FailureReport, PlanNotes } from './report.ts';
import { type Pass, writeReport } from './report-writer.ts';
import { isSettled, settle } from './settled.ts';
import { cancelledCooldownMs, clearStrikes, recordFailure, recordPass, type TriggerOptions } from './trigger.ts';

/** The parts of an engine that a pass needs. */
export interface PassContext<S> {
  readonly name: string;
  readonly planner: EnginePlanner<S>;
  readonly host: EngineHost;
  /** The planner's initial state, masked. */
  readonly initial: S;
  readonly triggerOptions: TriggerOptions;
  readonly state: EngineState<S>;
  change(transition: Transition<S>): void;
  /** Masks secrets in every string of a JSON value. */
  mask<T>(value: T): T;
}

/** The model assumed until `updateModel` is called. */
const unknownModel: ModelInfo = { id: 'unknown', contextLength: assumedWindow };

const cancelled: FailureReport = { class: 'cancelled', message: 'The compaction was cancelled.', cooldownMs: 0 };

/** Runs one compaction: plans, applies, checks, and reports. Commits the planner's state only if the checks pass. */
export async function runPass<S, M extends Message>(
  context: PassContext<S>,
  messages: readonly M[],
  { source, signal, ...options }: CompressOptions,
): Promise<CompressResult<M>> {
  const { name, host, mask } = context;
  const began = context.state;
  const startedAt = host.clock.now();
  const transcript = Transcript.of(messages, host.tokens, host);
  const history = source && planSource(source, transcript, host);
  const { cooldown } = began.trigger;
  const isCoolingDown = cooldown !== null && startedAt < cooldown.until;
  const effort = isCoolingDown && !options.force ? 'free' : (options.effort ?? 'full');
  const asked = { ...withUnread(mask(options), transcript), signal, effort } as const;
  const coolingDownFrom = isCoolingDown ? cooldown.failure : null;
  const pass: Pass = { engine: name, transcript, source: history, asked, startedAt, host, coolingDownFrom };
  const tokens = Math.round(transcript.totalTokens);
  host.emit({ type: 'compaction-start', engine: name, messages: messages.length, tokens });

  if (signal?.aborted) return resultWithoutChange(pass, messages, 'aborted', { failure: cancelled });
  if (isSettled(began.settled, transcript, asked, began.tokens.thresholdTokens))
    return resultWithoutChange(pass, messages, 'unchanged', {
      reason: 'Nothing has been added since the last compaction.',
    });

  const plan = await planFor(context, pass);
  if (plan === null) return resultWithoutChange(pass, messages, 'aborted', { failure: cancelled });
  if (signal?.aborted || context.state.resets !== began.resets) {
    if (!asked.hold && hasCalledModel(plan) && context.state.resets === began.resets)
      context.change(
        changeTrigger((trigger) =>
          recordFailure(trigger, { ...cancelled, cooldownMs: cancelledCooldownMs }, host.clock.now()),
        ),
      );
    return resultWithoutChange(pass, messages, 'aborted', { ...plan.notes, failure: cancelled });
  }
  recordModelCalls(context, plan);
  if (plan.outcome === 'aborted') {
    const reason = plan.notes?.failure?.message ?? 'aborted';
    host.emit({ type: 'summary-aborted', engine: name, reason });
    return resultWithoutChange(pass, messages, 'aborted', plan.notes);
  }
  return applyPlan(context, pass, messages, plan);
}

/** Adds the results that the model has not seen yet to the target, because they stay whole. */
function withUnread(asked: CompressOptions, { unreadTokens }: Transcript): CompressOptions {
  const { targetTokens } = asked;
  return targetTokens === undefined ? asked : { ...asked, targetTokens: targetTokens + unreadTokens };
}

/** Gets a plan from the planner and masks its notes; `null` when the caller cancelled meanwhile. */
async function planFor<S>(context: PassContext<S>, { transcript, source, asked }: Pass): Promise<Plan<S> | null> {
  const { name, planner, mask } = context;
  try {
    if (context.state.budget === null)
      context.change(setDefaultBudget(checkBudget(name, await planner.budget(unknownModel))));
    const { planner: state, trigger, budget } = context.state;
    const { strikes } = trigger;
    const plan = await planner.plan({ transcript, source, asked, budget: budget!, state, strikes });
    if (typeof plan !== 'object' || plan === null)
      throw new PalimpsestError('PLAN_INVALID', `Engine "${name}" returned no plan.`, { edit: -1 });
    return plan.notes ? { ...plan, notes: mask(plan.notes) } : plan;
  } catch (error) {
    if (asked.signal?.aborted) return null;
    throw error;
  }
}

function recordModelCalls<S>({ host, change }: PassContext<S>, plan: Plan<S>): void {
  const { failure = null, auxiliaryFailure = null } = plan.notes ?? {};
  if (failure || hasCalledModel(plan))
    change(changeTrigger((trigger) => recordFailure(trigger, failure, host.clock.now(), auxiliaryFailure)));
}

function hasCalledModel<S>({ notes }: Plan<S>): boolean {
  return (notes?.modelCalls ?? 0) > 0;
}

/** Applies a plan, checks the result, and commits it if it saves tokens. */
function applyPlan<S, M extends Message>(
  context: PassContext<S>,
  pass: Pass,
  messages: readonly M[],
  plan: Plan<S>,
): CompressResult<M> {
  const { name, host, mask } = context;
  const { transcript, asked, coolingDownFrom } = pass;
  const basis = basisOf(plan, pass);
  const { edits, applied } = applyEdits(plan.edits, basis, host);
  checkPlanHolds(context, basis, applied, plan);
  const after = tokensAfter(pass, applied, plan);
  if (!isWorthApplying(pass, after)) {
    weighPass(context, pass, plan, after);
    const reason = 'The plan would have saved next to nothing, so it was not applied.';
    return resultWithoutChange(pass, messages, 'unchanged', {
      ...plan.notes,
      ...(plan.edits.length > 0 ? { reason } : {}),
    });
  }
  const { overheadTokens = 0, currentTokens = 0 } = asked;
  const promptTokens = Math.round(after + overheadTokens);
  // A caller that states no overhead may know the size of the whole prompt.
  const compactedTokens = Math.round(after + Math.max(overheadTokens, currentTokens - transcript.totalTokens));
  const left = { planner: mask(plan.state), settled: settle(applied.messages, asked), promptTokens, compactedTokens };
  const { resets } = context.state;
  let isCommitted = false;
  const commit = (): void => {
    if (isCommitted || context.state.resets !== resets) return;
    isCommitted = true;
    weighPass(context, pass, plan, after);
    const hadLittleRoom = littleRoomWarning(context.state.tokens) !== null;
    context.change(takePlan(left));
    const warning = littleRoomWarning(context.state.tokens);
    if (warning !== null && !hadLittleRoom) host.emit({ type: 'warning', engine: name, message: warning });
  };
  if (!asked.hold) commit();
  // Rules wrote the handoff because of a cooldown, so the report states the failure that started it.
  const isByRules = coolingDownFrom !== null && asked.effort === 'free' && plan.notes?.summarizedBy;
  const outcome = plan.outcome ?? (isByRules ? 'degraded' : 'compacted');
  const notes = isByRules ? { ...plan.notes, failure: plan.notes?.failure ?? coolingDownFrom } : plan.notes;
  // The source may contain other messages than `messages`; both have the caller's type.
  const { messages: output, provenance } = applied as Applied<M>;
  const report = writeReport(pass, outcome, applied, { notes, messageTokens: after });
  const result = { messages: output, outcome, basis: plan.basis ?? 'transcript', edits, provenance, report } as const;
  return asked.hold ? { ...result, commit } : result;
}

/** Applies edits with secrets masked in what they write. @throws {PalimpsestError} `PLAN_INVALID`, `PLAN_CONFLICT` */
function applyEdits(
  given: readonly Edit[],
  { messages, groups }: Transcript,
  host: EngineHost,
): { readonly edits: readonly Edit[]; readonly applied: Applied<Message> } {
  // Checks the edits before their fields are read.
  const applied = apply(messages, given, groups);
  const edits = maskEdits(given, messages, host);
  return { edits, applied: edits === given ? applied : apply(messages, edits, groups) };
}

/** Minimum saving of a pass, as a share of the messages' tokens. */
export const minSavingShare = 0.02;

/** True if a result saves enough to replace the messages. Over a target, any saving counts. */
function isWorthApplying({ transcript, asked }: Pass, after: number): boolean {
  const before = transcript.totalTokens;
  const { targetTokens = Infinity, overheadTokens = 0 } = asked;
  const isOverTarget = before + overheadTokens > targetTokens;
  return after < before && (isOverTarget || after <= before * (1 - minSavingShare));
}

function tokensAfter<S>(pass: Pass, applied: Applied<Message>, plan: Plan<S>): number {
  const { host } = pass;
  if (plan.edits.length === 0) return basisOf(plan, pass).totalTokens;
  return Transcript.of(applied.messages, host.tokens, host).totalTokens;
}

/** Reports to the trigger how much a pass saved. A pass that saves nothing counts only when the prompt was over the threshold. */
function weighPass<S>(
  { host, change, state, triggerOptions }: PassContext<S>,
  { transcript, asked }: Pass,
  plan: Plan<S>,
  after: number,
): void {
  if (asked.force) change(changeTrigger(clearStrikes));
  if (asked.effort !== 'full') return;
  const before = transcript.totalTokens;
  const promptTokens = before + (asked.overheadTokens ?? 0);
  const weigh = (saving: number, dense: boolean): void =>
    change(changeTrigger((trigger) => recordPass(trigger, { saving, dense }, host.clock.now(), triggerOptions)));
  if (after < before) {
    weigh((before - after) / promptTokens, !hasCalledModel(plan));
    return;
  }
  const { thresholdTokens } = state.tokens;
  const isOver = thresholdTokens > 0 && (asked.currentTokens ?? promptTokens) >= thresholdTokens;
  if (isOver) weigh(0, plan.edits.length === 0);
}

/** The result when the messages stay as they are. */
function resultWithoutChange<M extends Message>(
  pass: Pass,
  messages: readonly M[],
  outcome: Outcome,
  notes: PlanNotes | undefined,
): CompressResult<M> {
  const applied = apply(messages, [], pass.transcript.groups);
  const report = writeReport(pass, outcome, applied, { notes });
  return { messages, outcome, basis: 'transcript', edits: [], provenance: applied.provenance, report };
}
