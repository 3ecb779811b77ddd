import { compact } from '../compaction/compact.ts';
import { landing } from '../compaction/need.ts';
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
  const blocked = core.turns.blocked(core.clock.now());
  if (failure.action === 'strip-reasoning' || failure.action === 'strip-tool-parts') {
    if (blocked || !stripContent(core, sent, failure.action)) return { retry: false, exhausted: null };
    core.turns.spend();
    return { retry: true, maxTokens };
  }
  if (blocked) return exhausted(core, blocked.message);
  core.turns.spend();
  learnWindow(core, failure);
  learnSize(core, sent, failure);
  if (failure.action === 'lower-output') return lowerOutput(core, sent, failure, maxTokens);
  const limits = { bytes: failure.limitBytes, pixels: failure.limitPixels };
  if (failure.action === 'strip-media') {
    if (await stripMedia(core, work, limits, failure.class === 'image-too-large')) return { retry: true, maxTokens };
    if (failure.class === 'image-too-large') return exhausted(core, 'There is no picture left to remove.');
  }
  const before = core.view(work);
  const ceiling = Math.min(core.room(work), before.size.tokens, failure.planTokens ?? Number.POSITIVE_INFINITY);
  const targetTokens = landing(ceiling, core.turns.attempts);
  const done = await compact(core, work, before, { trigger: 'overflow', effort: 'full', force: true, targetTokens });
  if (done.checkpoint) return { retry: true, maxTokens };
  if (await stripMedia(core, work, limits, false)) return { retry: true, maxTokens };
  return exhausted(core, done.planned?.result.report.reason ?? 'The engine failed.');
}

/** What a provider counted in a refused prompt is worth as much as a report, where it can be about that prompt at all. */
function learnSize(core: SessionCore, { request, size, model }: Sent, { promptTokens }: ProviderFailure): void {
  if (promptTokens === null || promptTokens < size.tokens / 4 || promptTokens > size.tokens * 4) return;
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

/** Asks for less output: what the provider allows, or half of what was asked. */
function lowerOutput(core: SessionCore, sent: Sent, failure: ProviderFailure, asked: number | undefined): Recovery {
  const { outputTokens, limitTokens } = failure;
  const ofModel = limitTokens === null;
  const allowed = outputTokens ?? Math.floor((asked ?? 0) / 2);
  const next = ofModel ? allowed : Math.max(1, allowed - outputMargin);
  if (next < 1 || (asked !== undefined && next >= asked))
    return exhausted(core, 'The output cannot be lowered any further.');
  if (ofModel && outputTokens !== null) core.outputCaps.set(sent.model, outputTokens);
  core.publish({ type: 'output-lowered', model: sent.model, maxTokens: next });
  return { retry: true, maxTokens: next };
}

function exhausted(core: SessionCore, reason: string): Recovery {
  core.publish({ type: 'compression-exhausted', attempts: core.turns.attempts, reason });
  return { retry: false, exhausted: reason };
}
