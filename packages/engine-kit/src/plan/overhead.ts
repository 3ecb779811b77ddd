import type { CompressOptions } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';

/** Tokens of every prompt that are not messages of the session: tools, and the system prompt. */
export function overheadOf(transcript: Transcript, { overheadTokens = 0 }: CompressOptions): number {
  return overheadTokens + transcript.tokensBetween(0, transcript.leading);
}
