import type { Usage } from '@palimpsest/core';
import { noteDollars } from '../compaction/compaction-dollars.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/**
 * Processes the usage report of an answered request: updates the engine, the meter and the compaction log. A report
 * that is too small for the whole prompt is not used.
 * @param sent `null` when it is unknown which request was answered
 */
export function learnFromAnswer(parts: SessionParts, sent: SentRequest | null, usage: Usage): void {
  const { events } = parts;
  const { log } = parts.compactions;
  const { meter, model, truncation } = parts.provider;
  const { promptTokens, cachedTokens } = usage;
  const cachedShare = cachedTokens === undefined ? null : Math.min(1, cachedTokens / promptTokens);
  log.noteCachedShare(cachedShare, sent?.checkpoint ?? null);
  if (!sent) {
    updateEngine(parts, usage);
    return;
  }
  noteDollars(parts, sent.checkpoint, sent.model, usage);
  const { total: estimatedTokens, text: estimatedText } = meter.estimate(sent.request, sent.model);
  const verdict = truncation.check({
    promptTokens,
    estimatedTokens,
    estimatedText,
    checkpoint: sent.checkpoint,
    model: sent.model,
  });
  if (verdict !== 'accepted') {
    if (verdict === 'doubted') events.publish({ type: 'prompt-truncated', promptTokens, estimatedTokens });
    else if (model.believeCut(sent.model, promptTokens))
      events.publish({ type: 'limit-learned', model: sent.model, contextLength: model.tokens, isStated: false });
    // The session's own estimate is more accurate here, so the engine's threshold uses it too.
    updateEngine(parts, { ...usage, promptTokens: Math.max(promptTokens, sent.size.tokens) });
    return;
  }
  updateEngine(parts, usage);
  model.noteAnswered(sent.model, promptTokens);
  model.believeAnswer(sent.model, { tokens: Math.max(promptTokens, sent.size.tokens) }, sent.maxTokens);
  meter.learn(sent.request, usage, sent.model);
}

function updateEngine({ engine, events }: SessionParts, usage: Usage): void {
  try {
    engine.current?.updateFromResponse(usage);
  } catch (error) {
    events.publish({ type: 'hook-failed', hook: 'engine.updateFromResponse', reason: errorReason(error) });
  }
}
