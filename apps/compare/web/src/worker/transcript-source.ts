import type { Dialect, Message } from '@palimpsest/core';

/** A transcript sent directly between workers, so that it does not pass through the main thread. */
export interface TranscriptContents {
  readonly id: string;
  readonly file: string;
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[];
  readonly format: string;
  readonly dialect?: Dialect | undefined;
}

/** Gives another worker the open transcript. */
export interface TranscriptSource {
  contents(): Promise<TranscriptContents>;
}
