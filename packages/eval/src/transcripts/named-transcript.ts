import { createHash } from 'node:crypto';
import type { Message } from '@palimpsest/core';

/** Half of the transcripts: rules are tuned on `development`, and results are reported on `held-out`. */
export type Half = 'development' | 'held-out';

/** A recorded conversation. */
export interface NamedTranscript {
  /** Shown in results. Its hash decides the transcript's half, see `halfOf` in `@palimpsest/eval/measures`. */
  readonly name: string;
  readonly messages: readonly Message[];
}

/** Returns the half of a transcript, by a hash of its name, so that adding transcripts does not move others. */
export function halfOf(name: string): Half {
  return (createHash('sha256').update(name).digest()[0]! & 1) === 0 ? 'development' : 'held-out';
}
