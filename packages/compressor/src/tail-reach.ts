import type { Transcript } from '@palimpsest/core/authoring';

/** More messages than are ever protected by their number. */
const leastMessages = 16;
/** Beyond this share of a transcript there is hardly anything to be spared. */
const mostOfIt = 0.5;

/**
 * Index of the message behind which a tail begins that weighs so many tokens as it stands, at the start of a group; 0
 * for a transcript that is not much longer than that.
 */
export function tailReach(transcript: Transcript, tokens: number): number {
  const { groups, length } = transcript;
  for (let group = groups.length - 1; group > 0; group--) {
    const { from } = groups[group]!;
    if (length - from > length * mostOfIt) return 0;
    if (length - from >= leastMessages && transcript.tokensBetween(from, length) >= tokens) return from;
  }
  return 0;
}
