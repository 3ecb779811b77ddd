import type { PlanningParts } from '../compaction/compaction-planner.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import type { FailureContext, ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { minAnswerTokens, outputMargin } from '../provider/output-caps.ts';
import { makeSmaller } from './make-smaller.ts';
import { type Recovery, reportExhausted } from './recovery.ts';
import { reportRefusal } from './report-refusal.ts';
import { stripContent } from './strip-content.ts';
import { stripMedia } from './strip-media.ts';

const autoOff =
  'Automatic compaction is off (auto: false). Call compact() and send the request again, or use a model with a larger window.';

/** What is known about a refused request. Helps to classify a refusal that does not state its cause. */
export function failureContext({ provider: { model } }: SessionParts, sent: SentRequest): FailureContext {
  return { promptTokens: sent.size.tokens, contextLength: model.tokens };
}

/**
 * Reacts to a refusal: compacts, lowers the output cap, or strips content the provider does not accept. Counts toward
 * the same attempts as the preflight.
 * @throws {PalimpsestError} `ABORTED`
 */
export async function recover(
  parts: PlanningParts,
  sent: SentRequest,
  given: ProviderFailure,
  maxTokens: number | undefined,
): Promise<Recovery> {
  const { options } = parts;
  const { turns } = parts.compactions;
  const { failure, isGuess } = withSuspicion(parts, sent, given);
  const { action } = failure;
  reportRefusal(parts, failure);
  if (action === 'none') return { retry: false, exhausted: null };
  if (action === 'strip-reasoning' || action === 'strip-tool-parts') {
    if (turns.attemptsBlock() || !stripContent(parts, sent, action)) return { retry: false, exhausted: null };
    turns.countAttempt();
    return { retry: true, maxTokens };
  }
  const stop = turns.refusalsBlock();
  // A side request may be for another model than the session's.
  if (!isGuess && !sent.isSideRequest) learnWindow(parts, sent, failure);
  if (stop) return reportExhausted(parts, stop.message);
  turns.countRefusal();
  await parts.provider.model.engineUpdated();
  if (!sent.isSideRequest) learnSize(parts, sent, failure);
  if (action === 'lower-output') {
    const lowered = lowerOutput(parts, sent, failure, maxTokens);
    if (lowered) return lowered;
  }
  if (action === 'strip-media') {
    const isImage = failure.class === 'image-too-large';
    const limits = { bytes: failure.limitBytes, pixels: failure.limitPixels };
    if (await stripMedia(parts, sent.input, limits, isImage)) return { retry: true, maxTokens };
    if (isImage) return reportExhausted(parts, 'There is no picture left to remove.');
  }
  if (!options.auto) return reportExhausted(parts, autoOff);
  return makeSmaller(parts, sent, failure, maxTokens);
}

/** Treats a closed connection as a refusal for size if the size is suspected. Learns nothing from a mere suspicion. */
function withSuspicion(
  { provider: { dropped, model } }: SessionParts,
  { size, model: id }: SentRequest,
  failure: ProviderFailure,
): { readonly failure: ProviderFailure; readonly isGuess: boolean } {
  if (failure.action !== 'none' || failure.about !== 'closed') return { failure, isGuess: false };
  const verdict = dropped.note(id, size.tokens, model.tokens);
  if (verdict === 'nothing') return { failure, isGuess: true };
  return { failure: { ...failure, class: 'context-overflow', action: 'compact' }, isGuess: verdict === 'compact' };
}

/**
 * Adopts a smaller window if the provider states one. If it states none, or one that the refused prompt fits, the window
 * is believed to be smaller than the prompt.
 */
function learnWindow(
  { events, provider: { model } }: SessionParts,
  { maxTokens, size, model: id }: SentRequest,
  { class: name, limitTokens, promptTokens, about }: ProviderFailure,
): void {
  if (name !== 'context-overflow' && name !== 'output-cap') return;
  const before = model.tokens;
  const isUsable = limitTokens !== null && (promptTokens ?? size.tokens + size.estimatedTokens) >= limitTokens;
  if (limitTokens !== null && model.adoptReported(limitTokens)) {
    events.publish({ type: 'limit-learned', model: model.id, contextLength: limitTokens, isStated: true });
  } else if (
    !isUsable &&
    name === 'context-overflow' &&
    about !== 'plan' &&
    // A closed connection is learned from only after the server has closed earlier ones, too.
    model.believeRefusal(id, size, maxTokens, about === 'closed')
  ) {
    if (model.tokens < before)
      events.publish({ type: 'limit-learned', model: model.id, contextLength: model.tokens, isStated: false });
  }
}

/**
 * Learns from the prompt size stated in a refusal, as from a usage report, if it is plausible for that prompt. The
 * session's own number may come from a report without cached tokens, so the plain estimate is a second reference.
 */
function learnSize(
  { provider: { meter } }: SessionParts,
  { request, size, model }: SentRequest,
  { promptTokens }: ProviderFailure,
): void {
  if (promptTokens === null) return;
  const sizes = [size.tokens, meter.estimate(request, model).total];
  if (promptTokens < Math.min(...sizes) / 4 || promptTokens > Math.max(...sizes) * 4) return;
  meter.learn(request, { promptTokens, completionTokens: 0 }, model);
}

/**
 * Lowers the output cap to what the provider allows, or to half.
 * @param asked the cap of the refused request
 * @returns `null` when the prompt leaves too little room, so the prompt has to be made smaller instead
 */
function lowerOutput(
  parts: SessionParts,
  { input, isSideRequest, model }: SentRequest,
  { outputTokens, limitTokens }: ProviderFailure,
  asked: number | undefined,
): Recovery | null {
  const { events } = parts;
  const { caps } = parts.provider;
  const isModelLimit = limitTokens === null;
  const allowed = outputTokens ?? Math.floor((asked ?? 0) / 2);
  const maxTokens = isModelLimit ? allowed : Math.max(1, allowed - outputMargin);
  const minAnswer = minAnswerTokens(asked ?? 0, input.minTokens);
  if (!isModelLimit && maxTokens < minAnswer) return null;
  if (maxTokens < 1 || (asked !== undefined && maxTokens >= asked))
    return reportExhausted(parts, 'The output cap cannot be lowered any further.');
  if (isModelLimit && outputTokens !== null && !isSideRequest) caps.learn(model, outputTokens);
  // A limit of the model is permanent. A cap lowered for lack of room is restored once the prompt is smaller.
  if (!isModelLimit && asked !== undefined) caps.noteLowered(input.maxTokens ?? asked, maxTokens);
  events.publish({ type: 'output-lowered', model, maxTokens });
  return { retry: true, maxTokens };
}
