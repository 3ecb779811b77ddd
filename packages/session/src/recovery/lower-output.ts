import type { SentRequest } from '../conversation/sent-request.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { leastAnswer, outputMargin } from '../provider/output-caps.ts';
import { exhausted, type Recovery } from './recovery.ts';

/**
 * Lowers the output cap to what the provider allows, or to half.
 * @param asked the cap of the refused request
 * @returns `null` when the prompt leaves too little room, so the prompt has to be made smaller instead
 */
export function lowerOutput(
  parts: SessionParts,
  { input, model }: SentRequest,
  { outputTokens, limitTokens }: ProviderFailure,
  asked: number | undefined,
): Recovery | null {
  const { events } = parts;
  const { caps } = parts.provider;
  const isModelLimit = limitTokens === null;
  const allowed = outputTokens ?? Math.floor((asked ?? 0) / 2);
  const maxTokens = isModelLimit ? allowed : Math.max(1, allowed - outputMargin);
  const least = leastAnswer(asked ?? 0, input.leastTokens);
  if (!isModelLimit && maxTokens < least) return null;
  if (maxTokens < 1 || (asked !== undefined && maxTokens >= asked))
    return exhausted(parts, 'The output cap cannot be lowered any further.');
  if (isModelLimit && outputTokens !== null) caps.learn(model, outputTokens);
  // A limit of the model is permanent. A cap lowered for lack of room is restored once the prompt is smaller.
  if (!isModelLimit) caps.noteLowered(input.maxTokens ?? asked);
  events.publish({ type: 'output-lowered', model, maxTokens });
  return { retry: true, maxTokens };
}
