import type { Message, Part } from '@palimpsest/core';
import type { CompactionRecord } from '../checkpoints/compaction-record.ts';
import type { CompactionTrigger, SessionEvent } from '../events/session-event.ts';

/** What is about to be compressed. */
export interface BeforeCompress {
  readonly sessionId: string;
  readonly trigger: CompactionTrigger;
  /** The conversation as the model has seen it so far. */
  readonly messages: readonly Message[];
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  readonly signal: AbortSignal | undefined;
}

/** A tool result the model no longer sees in full. */
export interface RemovedResult {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the tool was called with, as it stands in the call. */
  readonly input: string;
  readonly fate: 'shortened' | 'summarized' | 'dropped';
}

/** What was compressed. */
export interface AfterCompress {
  readonly sessionId: string;
  readonly record: CompactionRecord;
  /** The conversation as the model sees it from now on. */
  readonly messages: readonly Message[];
  /** Results that are gone or shortened since: a host that answers "unchanged since you read it" has to forget these. */
  readonly removedResults: readonly RemovedResult[];
  /** The system prompt now in use; `null` when there is none. */
  readonly system: string | null;
}

/** What a host adds to a compaction. It stays until the next one. */
export interface AfterCompressAnswer {
  /** What is still to do. Merged into the last user message, before that user's own words. */
  readonly todo?: string | null | undefined;
  /** The system prompt, built anew. Used only when it differs, because a change re-bills the cached prefix. */
  readonly system?: string | null | undefined;
}

/** What a host does around compactions. A hook that throws, or takes too long, is said and passed over. */
export interface SessionHooks {
  /** Saves what matters before it is condensed; what it returns goes to the summarizer as memory context. */
  beforeCompress?(info: BeforeCompress): Promise<string | null | undefined> | string | null | undefined;
  afterCompress?(
    info: AfterCompress,
  ): Promise<AfterCompressAnswer | null | undefined> | AfterCompressAnswer | null | undefined;
  /** Makes a refused picture smaller; `null` has it removed. `limits` are the provider's, where it names them. */
  shrinkImage?(
    part: Part,
    limits: { readonly bytes: number | null; readonly pixels: number | null },
  ): Promise<Part | null> | Part | null;
  onEvent?(event: SessionEvent): void;
}
