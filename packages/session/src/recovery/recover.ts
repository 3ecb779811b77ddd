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

/** Smallest plausible window. No model in use has a smaller one, so a smaller number means something else. Tokens. */
const leastWindow = 1_000;
/** A stated window is ignored when it is less than this share of a prompt the model has already answered. */
const leastOfAnswered = 0.5;
/** Room kept beside a provider's figure, which is of a request that may have grown by a token or two. */
const outputMargin = 64;
/** A prompt with more than this share of its refused size left is likely to be refused again. */
const leastReduction = 0.9;

/** What is known of a refused request, for judging a refusal that says little. */
export function failureContext(core: SessionCore, sent: Sent): FailureContext {
  return { promptTokens: sent.size.tokens, contextLength: core.window };
}

/**
 * Reacts to a refusal: compresses, lowers the output cap, or strips content the provider does not accept. Counts toward
 * the same attempts as the preflight.
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

/** Compacts, then strips media or cuts tool results if the request is still too large. */
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
  // The cap was lowered for the larger prompt, so the old value applies again.
  const restored = core.loweredFrom ?? maxTokens;
  if (done.checkpoint && fits) return { retry: true, maxTokens: restored };
  const smaller = (await stripMedia(core, work, { bytes, pixels }, false)) || cutResults(core, work, room) !== null;
  if (smaller || done.checkpoint) return { retry: true, maxTokens: restored };
  return exhausted(core, done.planned?.result.report.reason ?? 'The engine failed.');
}

/**
 * Learns from the prompt size stated in a refusal, as from a usage report, if it is plausible for that prompt. The
 * session's own number may come from a report without cached tokens, so the plain estimate is a second reference.
 */
function learnSize(core: SessionCore, { request, size, model }: Sent, { promptTokens }: ProviderFailure): void {
  if (promptTokens === null) return;
  const sizes = [size.tokens, core.meter.counter.countRequest(request)];
  if (promptTokens < Math.min(...sizes) / 4 || promptTokens > Math.max(...sizes) * 4) return;
  core.meter.learn(request, { promptTokens, completionTokens: 0 }, model);
}

/**
 * Strips content the provider does not accept back. Also used for a refusal inside a stream, after which the caller
 * repeats the call.
 * @returns false when there is nothing left to strip
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
 * Learns a smaller window if the provider states one and it is plausible. An error that quotes the conversation may
 * contain any number.
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
 * Lowers the output cap to what the provider allows, or to half.
 * @returns `null` when the prompt leaves too little room, so the prompt has to be made smaller instead
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
  // A limit of the model is permanent. A cap lowered for lack of room is restored once the prompt is smaller.
  if (!ofModel) core.loweredFrom ??= asked ?? null;
  core.publish({ type: 'output-lowered', model: sent.model, maxTokens: next });
  return { retry: true, maxTokens: next };
}

function exhausted(core: SessionCore, reason: string): Recovery {
  core.publish({ type: 'compression-exhausted', attempts: core.turns.attempts, reason });
  return { retry: false, exhausted: reason };
}
