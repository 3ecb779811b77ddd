import { contentWithoutHandoff, isBlank, type Message, type MessageReader, readAnyHandoff } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import { noteAftermath } from '../compaction/compaction-aftermath.ts';
import type { PlanningParts } from '../compaction/compaction-planner.ts';
import { planForRequest } from '../compaction/plan-ahead.ts';
import { type Preflight, preflight } from '../compaction/preflight.ts';
import { shapeResults } from '../compaction/shape-results.ts';
import { type PreparedRequest, type RequestOptions, toPreparedRequest } from '../conversation/prepared-request.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import type { Intake } from '../intake/intake.ts';
import { withoutTodo } from '../intake/todo-snapshot.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { Blocked } from '../parts/turn-limits.ts';
import type { RequestView } from '../projection/request-view.ts';
import { estimateError } from '../provider/model-window.ts';
import { minAnswerTokens, outputMargin } from '../provider/output-caps.ts';
import { abortError } from '../scheduling/one-at-a-time.ts';

/**
 * Error of an estimate that a cap allows for where it can: one that is lowered for nothing costs less than a refusal. The first
 * prompt of an agent with many tools was 19 % longer than its estimate.
 */
const maxErrorShare = 0.25;

/** A prepared request, and what is remembered about it. */
export interface Prepared<M extends Message, O extends RequestOptions> {
  readonly request: PreparedRequest<M, O>;
  readonly sent: SentRequest;
  /** True when something was compacted. */
  readonly isCompacted: boolean;
}

/** Prepares the next request of the conversation. Compacts it when necessary. */
export async function prepareNext<M extends Message, O extends RequestOptions>(
  parts: PlanningParts,
  input: RequestInput,
  options: O,
): Promise<Prepared<M, O>> {
  const { clock, events, planner, viewer } = parts;
  const { hygiene, turns } = parts.compactions;
  const { requests } = parts.conversation;
  beginTurn(parts, input.intake);
  planner.resume();
  if (input.signal?.aborted) throw abortError(input.signal);
  const before = viewer.view(input);
  noteAftermath(parts, before.projection.checkpoint?.number ?? null, input.intake.messages);
  let next = before;
  // Before anything else is committed, because a plan is dropped when another checkpoint comes first.
  const { hasPlan } = planner;
  let plan = await planner.swapIn(input);
  let beforePlan = before;
  if (plan) next = viewer.view(input);
  const shaped = shapeResults(parts, input, next);
  if (shaped !== null) next = viewer.view(input);
  let unplanned: Blocked | null = null;
  if (!hasPlan) {
    unplanned = await planForRequest(parts, input, next);
    if (input.signal?.aborted) throw abortError(input.signal);
    plan = await planner.swapIn(input);
    beforePlan = next;
    if (plan) next = viewer.view(input);
  }
  if (plan) turns.countAttempt();
  const checked = await preflight(parts, { input, next, swapped: plan && { plan, before: beforePlan } });
  const { view, compacted } = checked;
  const blocked = checked.blocked ?? unplanned;
  const warnings = blocked ? [blocked.message] : [];
  const unanswered = handoffWarning(view.assembled.messages, parts.host.reader);
  if (unanswered) {
    warnings.push(unanswered);
    events.publish({ type: 'handoff-unanswered', message: unanswered });
  }
  const { request, sent } = present<M, O>(parts, input, view, {
    options,
    warnings,
    compacted: [...planner.sinceRequest, ...compacted],
  });
  requests.noteLast(input, sent);
  hygiene.noteActivity(clock.now());
  return { request, sent, isCompacted: shaped !== null || compacted.length > 0 };
}

/**
 * The output cap that fits next to the prompt: providers refuse a request if both together exceed the window. A cap that would
 * become uselessly low stays. A compaction may have made room for a cap that a refusal lowered.
 */
function fittingCap(
  { provider: { caps, model } }: SessionParts,
  { maxTokens, minTokens }: RequestInput,
  { size }: RequestView,
  isCompacted: boolean,
): number | undefined {
  if (maxTokens === undefined) return undefined;
  const asked = (isCompacted ? caps.originalOf(maxTokens) : maxTokens) ?? maxTokens;
  const minAnswer = minAnswerTokens(asked, minTokens);
  for (const error of [maxErrorShare, estimateError]) {
    const room = model.answerRoom(size, error);
    const fitting = asked <= room ? asked : room - outputMargin;
    if (fitting >= minAnswer) return fitting;
  }
  return maxTokens;
}

/** What a request is built with. */
interface Presented<O extends RequestOptions> extends Partial<Pick<Preflight, 'compacted'>> {
  readonly options: O;
  readonly warnings?: readonly string[] | undefined;
}

/** Builds the request from a view, without compacting anything. */
export function present<M extends Message, O extends RequestOptions>(
  parts: SessionParts,
  input: RequestInput,
  view: RequestView,
  { options, warnings = [], compacted = [] }: Presented<O>,
): Pick<Prepared<M, O>, 'request' | 'sent'> {
  const { engine } = parts;
  const { log } = parts.compactions;
  const { caps, model } = parts.provider;
  const { size, assembled, projection, request } = view;
  const checkpoint = projection.checkpoint?.number ?? null;
  const maxTokens = fittingCap(parts, input, view, compacted.length > 0);
  return {
    request: toPreparedRequest<M, O>(assembled.messages, options, view.system, {
      tokens: size.tokens,
      estimatedTokens: size.estimatedTokens,
      decision: engine.current?.explain(size.tokens) ?? null,
      checkpoint,
      compactions: log.records.filter(({ number }) => compacted.includes(number)),
      warnings,
      maxTokens: caps.apply(model.id, maxTokens),
      provenance: assembled.provenance,
    }),
    sent: {
      input: { ...input, signal: undefined },
      maxTokens,
      request,
      size,
      model: model.id,
      checkpoint,
      isSideRequest: false,
    },
  };
}

/** Limits the compactions in each turn. */
function beginTurn({ compactions: { turns }, host }: SessionParts, { messages }: Intake): void {
  const at = messages.findLastIndex(
    (message, index) => message.role === 'user' && host.isFromPerson(message, index, messages),
  );
  const key = at < 0 ? '' : fingerprint([{ role: 'user', content: contentWithoutHandoff(messages[at]!, host.reader) }]);
  turns.begin(key, at >= 0 && at > messages.findLastIndex(({ role }) => role === 'assistant'));
}

/** A warning when the conversation ends with a handoff and the model has no user message to answer; `null` otherwise. */
function handoffWarning(messages: readonly Message[], reader: MessageReader): string | null {
  const last = messages.at(-1);
  const own = last?.role === 'user' ? withoutTodo(last) : null;
  const handoff = own && readAnyHandoff(own, reader);
  return handoff && isBlank(handoff.rest)
    ? "No user message follows the handoff: the model is asked to answer its own summary. Send the user's task with it."
    : null;
}
