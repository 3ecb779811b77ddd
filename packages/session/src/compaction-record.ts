import type { Outcome } from '@palimpsest/core';
import type { CompactionTrigger } from './session-event.ts';

/** One compaction, for watching how often they happen and what they do to the prompt cache. JSON, tokens of the whole prompt. */
export interface CompactionRecord {
  readonly number: number;
  readonly parent: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly trigger: CompactionTrigger;
  readonly outcome: Outcome;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly modelCalls: number;
  readonly durationMs: number;
  /** Share of the prompt that came from the provider's cache in the last answer before; `null` when it did not say. */
  readonly cachedShareBefore: number | null;
  /** The same in the first answer after; `null` until then. */
  readonly cachedShareAfter: number | null;
  readonly undone: boolean;
}
