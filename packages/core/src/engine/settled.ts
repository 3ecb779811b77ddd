import { readAnyHandoff } from '../handoff/any-handoff.ts';
import { messagesFollowing } from '../handoff/handoff.ts';
import { fingerprint } from '../json/fingerprint.ts';
import type { Message } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import type { CompressRequest } from './compress-request.ts';
import type { Settled } from './engine.ts';

/** Records an output and its request for {@link isSettled}. */
export function settle(messages: readonly Message[], request: CompressRequest): Settled {
  return {
    length: messages.length,
    fingerprint: fingerprint(messages),
    targetTokens: request.targetTokens ?? null,
    focusTopic: request.focusTopic ?? null,
    effort: request.effort ?? 'full',
    force: request.force ?? false,
    keepLastExchanges: request.keepLastExchanges ?? 0,
  };
}

/**
 * True when a transcript is already compressed as requested. Either it is the last output; or, if a restart or a model
 * switch cleared that record, it fits and its handoff shows that nothing was appended since.
 * @param thresholdTokens threshold of the current model; 0 when unknown
 */
export function isSettled(
  settled: Settled | null,
  transcript: Transcript,
  request: CompressRequest,
  thresholdTokens: number,
): boolean {
  return settled
    ? isLastOutput(settled, transcript.messages, request)
    : isUngrown(transcript, request, thresholdTokens);
}

function isLastOutput(settled: Settled, messages: readonly Message[], request: CompressRequest): boolean {
  return (
    messages.length === settled.length &&
    (request.focusTopic ?? null) === settled.focusTopic &&
    !(request.effort === 'full' && settled.effort === 'free') &&
    !(request.force && !settled.force) &&
    (request.targetTokens ?? Number.POSITIVE_INFINITY) >= (settled.targetTokens ?? Number.POSITIVE_INFINITY) &&
    (request.keepLastExchanges ?? 0) >= settled.keepLastExchanges &&
    fingerprint(messages) === settled.fingerprint
  );
}

function isUngrown(transcript: Transcript, request: CompressRequest, thresholdTokens: number): boolean {
  const { messages } = transcript;
  const at = messages.findLastIndex((message) => readAnyHandoff(message, transcript.reader) !== null);
  if (at < 0 || messagesFollowing(messages[at]!) !== messages.length - 1 - at) return false;
  const tokens = transcript.totalTokens + (request.overheadTokens ?? 0);
  const fits = tokens <= (request.targetTokens ?? (thresholdTokens > 0 ? thresholdTokens : Number.POSITIVE_INFINITY));
  return request.focusTopic === undefined && fits;
}
