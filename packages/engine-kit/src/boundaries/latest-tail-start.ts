import type { Transcript } from '@palimpsest/core/authoring';

/** The latest group at which a tail can start: the pending tool calls always stay in the tail. */
export function latestTailStart(transcript: Transcript): number {
  return transcript.pendingCalls ? transcript.groupOf(transcript.pendingCalls.from) : transcript.groups.length;
}
