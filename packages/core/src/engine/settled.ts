import { readAnyHandoff } from '../handoff/any-handoff.ts';
import { messagesFollowing } from '../handoff/handoff.ts';
import { fingerprint } from '../messages/fingerprint.ts';
import type { Message } from '../messages/message.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { CompressOptions } from './compress-options.ts';
import type { Settled } from './engine.ts';

/** Records an output and its options for {@link isSettled}. */
export function settle(messages: readonly Message[], asked: CompressOptions): Settled {
  return {
    length: messages.length,
    fingerprint: fingerprint(messages),
    targetTokens: asked.targetTokens ?? null,
    focusTopic: asked.focusTopic ?? null,
    effort: asked.effort ?? 'full',
    force: asked.force ?? false,
    keepLastTurns: asked.keepLastTurns ?? 0,
  };
}

/**
 * True when a transcript is already compacted as requested. Either it is the last output; or, if a restart or a model
 * switch cleared that record, it fits and its handoff shows that nothing was appended since.
 * @param thresholdTokens threshold of the current model; 0 when unknown
 */
export function isSettled(
  settled: Settled | null,
  transcript: Transcript,
  asked: CompressOptions,
  thresholdTokens: number,
): boolean {
  return settled ? isLastOutput(settled, transcript.messages, asked) : isUngrown(transcript, asked, thresholdTokens);
}

function isLastOutput(settled: Settled, messages: readonly Message[], asked: CompressOptions): boolean {
  return (
    messages.length === settled.length &&
    (asked.focusTopic ?? null) === settled.focusTopic &&
    !(asked.effort === 'full' && settled.effort === 'free') &&
    !(asked.force && !settled.force) &&
    (asked.targetTokens ?? Number.POSITIVE_INFINITY) >= (settled.targetTokens ?? Number.POSITIVE_INFINITY) &&
    (asked.keepLastTurns ?? 0) >= settled.keepLastTurns &&
    fingerprint(messages) === settled.fingerprint
  );
}

function isUngrown(transcript: Transcript, asked: CompressOptions, thresholdTokens: number): boolean {
  const { messages } = transcript;
  const at = messages.findLastIndex((message) => readAnyHandoff(message, transcript.reader) !== null);
  if (at < 0 || messagesFollowing(messages[at]!) !== messages.length - 1 - at) return false;
  const tokens = transcript.totalTokens + (asked.overheadTokens ?? 0);
  const fits = tokens <= (asked.targetTokens ?? (thresholdTokens > 0 ? thresholdTokens : Number.POSITIVE_INFINITY));
  return asked.focusTopic === undefined && fits;
}
