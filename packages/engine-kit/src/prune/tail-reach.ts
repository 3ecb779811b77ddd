import type { Transcript } from '@palimpsest/core/authoring';

/** Minimum number of messages to prune; more than `protectLast` can protect. */
const leastMessages = 16;
/** If the tail has more than this share of the messages, skipping the rest saves hardly any work. */
const mostOfTranscript = 0.5;

/**
 * Returns the last group start, as a message index, from which the rest of the transcript has at least `tokens` tokens;
 * 0 if that rest is most of the transcript.
 */
export function tailReach(transcript: Transcript, tokens: number): number {
  const { groups, length } = transcript;
  for (let group = groups.length - 1; group > 0; group--) {
    const { from } = groups[group]!;
    if (length - from > length * mostOfTranscript) return 0;
    if (length - from >= leastMessages && transcript.tokensBetween(from, length) >= tokens) return from;
  }
  return 0;
}
