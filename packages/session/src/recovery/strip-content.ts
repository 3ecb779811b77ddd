import type { SentRequest } from '../conversation/sent-request.ts';
import type { FailureAction } from '../failure/provider-failure.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/**
 * Strips content the provider does not accept back. Also used for a refusal inside a stream, after which the caller
 * repeats the call.
 * @returns false when there is nothing left to strip
 */
export function stripContent(
  { events, provider: { stripped } }: SessionParts,
  { input, model }: SentRequest,
  action: FailureAction,
): boolean {
  const isReasoning = action === 'strip-reasoning';
  const isDone = isReasoning
    ? stripped.stripReasoning(input.intake.source.length)
    : stripped.stripToolParts(model, input.intake.source);
  if (isDone) events.publish({ type: 'content-stripped', what: isReasoning ? 'reasoning' : 'tool-parts' });
  return isDone;
}
