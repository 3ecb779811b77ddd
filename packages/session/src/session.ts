import type { ContextEngine, EngineStatus, Message, ModelInfo } from '@palimpsest/core';
import type { CompactFeedback, CompactOptions } from './compaction/manual.ts';
import type { CompactionRecord } from './compaction-record.ts';
import type { ProviderFailure } from './failure/provider-failure.ts';
import type { SessionSnapshot } from './persistence/session-snapshot.ts';
import type { PreparedRequest, RequestOptions } from './prepared-request.ts';
import type { Recovery } from './recovery/recover.ts';
import type { SessionEvent } from './session-event.ts';

/** What a provider call is handed by {@link Session.run}. */
export interface CallContext {
  /** The cap on the answer, lowered when the provider allows less; `undefined` when none was asked for. */
  readonly maxTokens: number | undefined;
  readonly system: unknown;
  readonly tools: readonly unknown[] | undefined;
  readonly signal: AbortSignal | undefined;
  /** 1 for the first call, more for a repeated one. */
  readonly attempt: number;
  readonly info: PreparedRequest['info'];
}

/** Where a session stands. */
export interface SessionStatus {
  readonly id: string;
  readonly model: ModelInfo;
  /** The window in force, in tokens: the model's, or a smaller one its provider reported. */
  readonly contextLength: number;
  /** Checkpoints `undo` can go back, oldest first, by number. */
  readonly checkpoints: readonly number[];
  /** True after `undo`, until the prompt no longer fits the window. */
  readonly held: boolean;
  /** `null` until the engine is made, with the first request. */
  readonly engine: EngineStatus | null;
}

/** Drives a context engine through an agent loop. Every operation waits for the one before. */
export interface Session {
  readonly id: string;
  /**
   * What to send for a conversation: the newest matching checkpoint applied, the rest appended, compacted when need be.
   * The history stays the caller's; pass it whole each time, or the messages that came back.
   * @throws {PalimpsestError} `MESSAGES_INVALID`, `ABORTED`, and what makes no engine
   */
  beforeRequest<M extends Message, O extends RequestOptions = Record<never, never>>(
    messages: readonly M[],
    options?: O,
  ): Promise<PreparedRequest<M, O>>;
  /**
   * Tells that the provider answered, and what it counted.
   * @param usage as any provider or the AI SDK reports it, or the whole answer that carries it; anything else counts as an answer only
   * @param request the request that was answered. @default the last one prepared
   */
  afterResponse(usage: unknown, request?: PreparedRequest): void;
  /**
   * Prepares, calls, learns from the answer, and recovers from refusals for size.
   * @throws what `call` threw, when it is no such refusal
   * @throws {PalimpsestError} `COMPRESSION_EXHAUSTED` with the refusal as `cause`; what `beforeRequest` throws
   */
  run<M extends Message, Answer>(
    messages: readonly M[],
    call: (messages: PreparedRequest<M>['messages'], context: CallContext) => Promise<Answer>,
    options?: RequestOptions,
  ): Promise<Answer>;
  /**
   * Reacts to a refusal the caller classified: when it says `retry`, prepare the same messages again.
   * @throws {PalimpsestError} `ABORTED`
   */
  recover(failure: ProviderFailure, request?: PreparedRequest, maxTokens?: number): Promise<Recovery>;
  /** Tells of a refusal that came inside of a stream, too late to repeat the call: the next request is compacted first. */
  noteRefusal(failure: ProviderFailure): void;
  /** Tells of a request that went out without the session, for the event. */
  notePassedThrough(reason: string): void;
  /** Compacts now, or says what that would do. */
  compact(options?: CompactOptions): Promise<CompactFeedback>;
  /** Compacts a chat that is due by the hygiene limits; for a timer between turns. @returns `null` when it is not due */
  tidy(messages?: readonly Message[]): Promise<CompactFeedback | null>;
  /**
   * Drops the current checkpoint and pauses automatic compression until the prompt no longer fits the window. If it
   * does not fit now, the next request is compacted again; `status().held` and the `checkpoint-undo` event report this.
   * @returns the number of the dropped checkpoint, or `null` when there is none
   */
  undo(): Promise<number | null>;
  /** Newest last. At most 100. */
  records(): readonly CompactionRecord[];
  updateModel(model: ModelInfo): void;
  status(): SessionStatus;
  on(listener: (event: SessionEvent) => void): () => void;
  /** The engine, made when it is not yet. */
  engine(): Promise<ContextEngine>;
  snapshot(): Promise<SessionSnapshot>;
  /** Another session's state, a damaged one or one of another release gives a clean start and an event. */
  restore(snapshot: unknown): Promise<void>;
  /** A new conversation under the same id. */
  reset(): Promise<void>;
  /** A real end: tells the engine, and waits until the state is stored. */
  end(messages?: readonly Message[]): Promise<void>;
}
