import type { Dialect, Message } from '@palimpsest/core';

/** What one worker hands to another, so that a transcript never passes through the page's own thread. */
export interface TranscriptContents {
  readonly id: string;
  readonly file: string;
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[];
  readonly format: string;
  readonly dialect?: Dialect | undefined;
}

export interface TranscriptSource {
  contents(): Promise<TranscriptContents>;
}
