import type { Message } from '@palimpsest/core';

/** A recorded conversation. */
export interface NamedTranscript {
  /** Shown in results. Its hash decides the transcript's half, see `halfOf` in `@palimpsest/eval/measures`. */
  readonly name: string;
  readonly messages: readonly Message[];
}
