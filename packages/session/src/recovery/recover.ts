import { compact } from '../compaction/compact.ts';
import { cutResults, roomAfterRefusal } from '../compaction/cut-results.ts';
import { effortNow, landing } from '../compaction/need.ts';
import type { FailureAction, FailureContext, ProviderFailure } from '../failure/provider-failure.ts';
import type { Sent, SessionCore } from '../session-core.ts';
import { stripMedia } from './strip-media.ts';

/** What to do about a refused request. */
export type Recovery =
  /** Prepare it again: it is smaller now, or asks for less output. */
  | { readonly retry: true; readonly maxTokens: number | undefined }
  /** Nothing helps, or nothing may be tried: the refusal is the caller's. `exhausted`: everything was tried. */
  | { readonly retry: false; readonly exhausted: string | null };

/** No model in use has a smaller window than this: the figure is about something else. Tokens. */
const leastWindow = 1_000;
/** A stated window that is a smaller share than this of a prompt the model has answered is about something else. */
const leastOfAnswered = 0.5;
/** Room kept beside a provider's figure, which is of a request that may have grown by a token or two. */
const outputMargin = 64;
/** A compaction that leaves more than this share of a refused prompt may well be refused again. */
const leastReduction = 0.9;

/** What is known of a refused request, for judging a refusal that says little. */
export function failureContext(core: SessionCore, sent: Sent): FailureContext {
  return { promptTokens: sent.size.tokens, contextLength: core.window };
}

/**
 * Reacts to a refusal: compresses, lowers the output cap, or strips what the provider does not take. Shares its attempts with the preflight.
 * @throws {PalimpsestError} `ABORTED`
 */
export async function recover(
  core: SessionCore,
  sent: Sent,
  failure: ProviderFailure,
  maxTokens: number | undefined,
): Promise<Recovery> {
  const { work } = sent;
  core.publish({
    type: 'request-refused',
    class: failure.class,
    action: failure.action,
    status: failure.status,
    limitTokens: failure.limitTokens,
    attempt: core.turns.attempts + 1,
  });
  if (failure.action === 'none') return { retry: false, exhausted: null };
  const stop = core.turns.exhausted();
  if (failure.action === 'strip-reasoning' || failure.action === 'strip-tool-parts') {
    if (stop || !stripContent(core, sent, failure.action)) return { retry: false, exhausted: null };
    core.turns.tried();
    return { retry: true, maxTokens };
  }
  if (stop) return exhausted(core, stop.message);
  core.turns.tried();
  learnWindow(core, failure);
  learnSize(core, sent, failure);
  if (failure.action === 'lower-output') {
    const lowered = lowerOutput(core, sent, failure, maxTokens);
    if (lowered) return lowered;
  }
  const limits = { bytes: failure.limitBytes, pixels: failure.limitPixels };
  if (failure.action === 'strip-media') {
    if (await stripMedia(core, work, limits, failure.class === 'image-too-large')) return { retry: true, maxTokens };
    if (failure.class === 'image-too-large') return exhausted(core, 'There is no picture left to remove.');
  }
  if (!core.options.auto) return exhausted(core, autoOff);
  return makeSmaller(core, sent, failure, maxTokens);
}

const autoOff =
  'Automatic compression is off (auto: false). Call compact() and send the request again, or use a model with a larger window.';

/** Compacts; strips media or cuts tool results where that does not help enough. */
async function makeSmaller(
  core: SessionCore,
  { work }: Sent,
  { limitBytes: bytes, limitPixels: pixels, planTokens }: ProviderFailure,
  maxTokens: number | undefined,
): Promise<Recovery> {
  const before = core.view(work);
  const refused = before.size.tokens;
  const ceiling = Math.min(core.room(work), refused, planTokens ?? Number.POSITIVE_INFINITY);
  const targetTokens = landing(ceiling, core.turns.attempts);
  const effort = core.turns.blocked(core.clock.now()) ? 'free' : effortNow(core);
  const done = await compact(core, work, before, { trigger: 'overflow', effort, force: true, targetTokens });
  const room = Math.min(ceiling, roomAfterRefusal(core, work, refused));
  const fits = core.view(work).size.tokens <= Math.max(room, refused * leastReduction);
  // The cap was lowered for a prompt that is gone.
  const restored = core.loweredFrom ?? maxTokens;
  if (done.checkpoint && fits) return { retry: true, maxTokens: restored };
  const smaller = (await stripMedia(core, work, { bytes, pixels }, false)) || cutResults(core, work, room) !== null;
  if (smaller || done.checkpoint) return { retry: true, maxTokens: restored };
  return exhausted(core, done.planned?.result.report.reason ?? 'The engine failed.');
}

/**
 * What a provider counted in a refused prompt is worth as much as a report, where it can be about that prompt at all. The
 * figure the session has may come from a report that left cached tokens out, so the plain estimate counts as well.
 */
function learnSize(core: SessionCore, { request, size, model }: Sent, { promptTokens }: ProviderFailure): void {
  if (promptTokens === null) return;
  const sizes = [size.tokens, core.meter.counter.countRequest(request)];
  if (promptTokens < Math.min(...sizes) / 4 || promptTokens > Math.max(...sizes) * 4) return;
  core.meter.learn(request, { promptTokens, completionTokens: 0 }, model);
}

/**
 * Takes out of the messages what the provider does not accept back. For a refusal inside of a stream, too, after which
 * the caller repeats the call. @returns false when nothing is left to take out
 */
export function stripContent(core: SessionCore, { work, request, model }: Sent, action: FailureAction): boolean {
  const isReasoning = action === 'strip-reasoning';
  const isDone = isReasoning
    ? core.stripped.stripReasoning(work.intake.source.length)
    : core.stripped.stripToolParts(model, request.messages);
  if (isDone) core.publish({ type: 'content-stripped', what: isReasoning ? 'reasoning' : 'tool-parts' });
  return isDone;
}

/**
 * A lower limit is taken only from a provider that states one, and only where it can be true: an error that quotes a
 * conversation may state any.
 */
function learnWindow(core: SessionCore, { class: name, limitTokens }: ProviderFailure): void {
  if (limitTokens === null || limitTokens < leastWindow) return;
  if (limitTokens < (core.answeredTokens.get(core.model.id) ?? 0) * leastOfAnswered) return;
  if (name !== 'context-overflow' && name !== 'output-cap') return;
  if (core.window > 0 && limitTokens >= core.window) return;
  core.limits.set(core.model.id, limitTokens);
  core.applyModel();
  core.publish({ type: 'limit-learned', model: core.model.id, contextLength: limitTokens });
}

/**
 * Asks for less output: what the provider allows, or half of what was asked.
 * @returns `null` when so little room is left beside the prompt that it has to become smaller instead
 */
function lowerOutput(
  core: SessionCore,
  sent: Sent,
  failure: ProviderFailure,
  asked: number | undefined,
): Recovery | null {
  const { outputTokens, limitTokens } = failure;
  const ofModel = limitTokens === null;
  const allowed = outputTokens ?? Math.floor((asked ?? 0) / 2);
  const next = ofModel ? allowed : Math.max(1, allowed - outputMargin);
  if (!ofModel && next < (sent.work.leastTokens ?? 1)) return null;
  if (next < 1 || (asked !== undefined && next >= asked))
    return exhausted(core, 'The output cannot be lowered any further.');
  if (ofModel && outputTokens !== null) core.outputCaps.set(sent.model, outputTokens);
  // What a model allows stays; what a prompt left no room for goes back once the prompt is smaller.
  if (!ofModel) core.loweredFrom ??= asked ?? null;
  core.publish({ type: 'output-lowered', model: sent.model, maxTokens: next });
  return { retry: true, maxTokens: next };
}

function exhausted(core: SessionCore, reason: string): Recovery {
  core.publish({ type: 'compression-exhausted', attempts: core.turns.attempts, reason });
  return { retry: false, exhausted: reason };
}
