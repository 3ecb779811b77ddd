import type { Message, Part } from '@palimpsest/core';
import type { CompactionRecord, CompactionTrigger } from '../events/compaction-record.ts';
import type { SessionEvent } from '../events/session-event.ts';

/** Describes a compaction that is about to start. */
export interface BeforeCompaction {
  readonly sessionId: string;
  readonly trigger: CompactionTrigger;
  /** The conversation as the model saw it so far. */
  readonly messages: readonly Message[];
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  readonly signal: AbortSignal | undefined;
}

/** A tool result that the model no longer sees in full. */
export interface RemovedResult {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments of the call, as the model wrote them. */
  readonly input: string;
  readonly outcome: 'shortened' | 'summarized' | 'dropped';
}

/** Describes a finished compaction. */
export interface AfterCompaction {
  readonly sessionId: string;
  readonly record: CompactionRecord;
  /** The conversation as the model sees it from now on. */
  readonly messages: readonly Message[];
  /** Results that were removed or shortened. A host that answers "unchanged since you read it" has to clear these from its cache. */
  readonly removedResults: readonly RemovedResult[];
  /** The system prompt in use, or `null`. */
  readonly system: string | null;
}

/** Additions of the host to the conversation after a compaction. They stay until the next one. */
export interface AfterCompactionAnswer {
  /** The open tasks. Inserted into the last user message, before the user's words. */
  readonly todo?: string | null | undefined;
  /** The rebuilt system prompt. Used only if it differs, because a change invalidates the prompt cache. */
  readonly system?: string | null | undefined;
}

/** Functions of the host that a session calls. A hook that throws or takes too long is reported with `hook-failed` and skipped. */
export interface SessionHooks {
  /** Called before a compaction, to save what matters. The returned text is passed to the summarizer as memory context. */
  beforeCompaction?(info: BeforeCompaction): Promise<string | null | undefined> | string | null | undefined;
  /** Called after a compaction, to clear caches and to add open tasks or a rebuilt system prompt. */
  afterCompaction?(
    info: AfterCompaction,
  ): Promise<AfterCompactionAnswer | null | undefined> | AfterCompactionAnswer | null | undefined;
  /** Shrinks a picture that the provider refused; `null` removes it. `limits` are the ones that the provider stated. */
  shrinkImage?(
    part: Part,
    limits: { readonly bytes: number | null; readonly pixels: number | null },
  ): Promise<Part | null> | Part | null;
  /** Called with every event. */
  onEvent?(event: SessionEvent): void;
}
