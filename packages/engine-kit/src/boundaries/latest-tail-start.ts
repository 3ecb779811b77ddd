import type { Transcript } from '@palimpsest/core/authoring';

/** The latest group at which a tail can start: the pending tool exchange always stays in the tail. */
export function latestTailStart(transcript: Transcript): number {
  return transcript.pendingExchange ? transcript.groupOf(transcript.pendingExchange.from) : transcript.groups.length;
}
