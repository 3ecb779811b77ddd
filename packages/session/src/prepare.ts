import { isBlank, isSystem, type Message, PalimpsestError, readHandoff, requestContent } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import type { BackgroundPlanner } from './compaction/background.ts';
import { compactionNeeded } from './compaction/need.ts';
import { reasonOf } from './compaction/plan-compaction.ts';
import { type Preflight, preflight } from './compaction/preflight.ts';
import type { Intake } from './conversation/intake.ts';
import { withoutTodo } from './conversation/todo-snapshot.ts';
import { type PreparedRequest, prepared, type RequestInfo, type RequestOptions } from './prepared-request.ts';
import type { Sent, SessionCore, View, Work } from './session-core.ts';

/** A prepared request and what is remembered of it. */
export interface Prepared<M extends Message, O extends RequestOptions> {
  readonly request: PreparedRequest<M, O>;
  readonly sent: Sent;
  /** True when something was compacted. */
  readonly changed: boolean;
}

export function workOf(core: SessionCore, source: readonly Message[], options: RequestOptions): Work {
  return {
    intake: core.takeIn(source),
    tools: options.tools ?? undefined,
    system: options.system,
    maxTokens: options.maxTokens ?? undefined,
    leastTokens: options.leastTokens,
    signal: options.signal,
  };
}

/** Prepares the next request of the conversation, compacting it when need be. */
export async function prepareNext<M extends Message, O extends RequestOptions>(
  core: SessionCore,
  background: BackgroundPlanner,
  work: Work,
  options: O,
): Promise<Prepared<M, O>> {
  core.turns.begin(turnOf(core, work.intake));
  const swapped = await takeOver(core, background, work);
  const flight = await preflight(core, work);
  const warnings = flight.blocked ? [flight.blocked.message] : [];
  const { messages } = flight.view.assembled;
  const unanswered = endsOnHandoff(messages);
  if (unanswered) {
    warnings.push(unanswered);
    core.publish({ type: 'handoff-unanswered', message: unanswered });
  }
  const capped = flight.compacted.length > 0 ? withCapRestored(core, work, flight.view) : work;
  const made = present<M, O>(core, capped, flight.view, options, warnings, flight);
  core.lastWork = { ...work, signal: undefined };
  core.lastSent = made.sent;
  core.lastActivity = core.clock.now();
  background.start(work, flight.view);
  return { ...made, changed: swapped || flight.compacted.length > 0 };
}

/** Raises a lowered output cap again after a compaction, as far as the room allows. */
function withCapRestored(core: SessionCore, work: Work, { size }: View): Work {
  if (core.loweredFrom === null || work.maxTokens === undefined) return work;
  const left = core.window > 0 ? core.window - size.tokens - Math.ceil(size.estimatedTokens * 0.05) : Infinity;
  return { ...work, maxTokens: Math.max(work.maxTokens, Math.min(core.loweredFrom, left)) };
}

/** The plan made in the background, waited for when the prompt cannot wait for it any longer. */
async function takeOver(core: SessionCore, background: BackgroundPlanner, work: Work): Promise<boolean> {
  if (compactionNeeded(core, work, core.view(work), 1)) await background.settle();
  return background.swapIn(work);
}

/** A request as the checkpoint in effect leaves it, and nothing else done. */
export function present<M extends Message, O extends RequestOptions>(
  core: SessionCore,
  work: Work,
  view: View,
  options: O,
  warnings: readonly string[] = [],
  flight: Preflight | null = null,
): Prepared<M, O> {
  const { size, assembled, projection, request } = view;
  const checkpoint = projection.checkpoint?.number ?? null;
  const made = flight?.compacted ?? [];
  const cap = core.outputCaps.get(core.model.id);
  const maxTokens = cap !== undefined && work.maxTokens !== undefined ? Math.min(cap, work.maxTokens) : work.maxTokens;
  const info: RequestInfo = {
    tokens: size.tokens,
    estimatedTokens: size.estimatedTokens,
    decision: core.engine?.explain(size.tokens) ?? null,
    checkpoint,
    compactions: core.records.filter(({ number }) => made.includes(number)),
    warnings,
    maxTokens,
    provenance: assembled.provenance,
  };
  return {
    request: prepared<M, O>(assembled.messages, options, view.system, info),
    sent: { work: { ...work, signal: undefined }, request, size, model: core.model.id, checkpoint, aside: false },
    changed: false,
  };
}

/** The request as the caller made it, when the session cannot make anything of it. */
export function passedThrough<M extends Message, O extends RequestOptions>(
  core: SessionCore,
  source: readonly M[],
  options: O,
  error: unknown,
): PreparedRequest<M, O> {
  const reason = reasonOf(error);
  core.publish({ type: 'request-passed-through', reason });
  return prepared<M, O>(source, options, options.system, {
    tokens: 0,
    estimatedTokens: 0,
    decision: null,
    checkpoint: null,
    compactions: [],
    warnings: ['The session could not work on this conversation, so it went out as it was.'],
    maxTokens: options.maxTokens ?? undefined,
    provenance: {
      output: source.map((_, from) => ({ kind: 'original', from })),
      source: source.map((_, at) => ({ kind: 'kept', at })),
    },
  });
}

/** True for an error that is the caller's to see. */
export function isCallersOwn(error: unknown): boolean {
  return PalimpsestError.is(error) && (error.code === 'ABORTED' || error.code === 'MESSAGES_INVALID');
}

/**
 * True for a request that is not the session's conversation: a title to be made up, a summary to be written, through the
 * same client. It begins otherwise, and is shorter.
 */
export function isAside(core: SessionCore, { messages }: Intake): boolean {
  const last = (core.underWay ?? core.lastWork)?.intake.messages;
  if (!last || messages.length >= last.length) return false;
  const own = opening(messages);
  return own !== opening(last) && own !== opening(core.lastSent?.request.messages ?? last);
}

/** Keys of the first messages of another conversation and of the session's own; `null` when they are the same. */
export function otherConversation(
  core: SessionCore,
  { messages }: Intake,
): { readonly own: string; readonly last: string } | null {
  const last = core.lastWork?.intake.messages;
  const own = opening(messages);
  const known = !last || own === opening(last) || own === opening(core.lastSent?.request.messages ?? last);
  return known ? null : { own, last: opening(last) };
}

function opening(messages: readonly Message[]): string {
  const first = messages.find((message) => !isSystem(message));
  return first ? fingerprint([first]) : '';
}

/** What the user asked last, as a key: compactions are counted for each. */
function turnOf(core: SessionCore, { messages }: Intake): string {
  const at = messages.findLastIndex(
    (message, index) => message.role === 'user' && core.host.isRequest(message, index, messages),
  );
  return at < 0 ? '' : fingerprint([{ role: 'user', content: requestContent(messages[at]!) }]);
}

/** Why the model would have nothing to answer but the notes; `null` when there is something. */
function endsOnHandoff(messages: readonly Message[]): string | null {
  const last = messages.at(-1);
  const own = last?.role === 'user' ? withoutTodo(last) : null;
  const handoff = own && readHandoff(own);
  return handoff && isBlank(handoff.rest)
    ? 'No user message follows the handoff: the model is asked to answer its own notes. Send the request of the user with it.'
    : null;
}
