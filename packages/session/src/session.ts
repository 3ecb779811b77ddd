import type { ContextEngine, EngineStatus, Message, ModelInfo, ToolCallContext } from '@palimpsest/core';
import type { WireFormat, WireTool } from '@palimpsest/formats/wire';
import type { AdapterMethods } from './adapter-methods.ts';
import type { CompactFeedback } from './compaction/compact-feedback.ts';
import type { CompactOptions } from './compaction/compact-manually.ts';
import type { PageSource } from './conversation/page-source.ts';
import type { PreparedRequest, RequestOptions } from './conversation/prepared-request.ts';
import type { CompactionRecord } from './events/compaction-record.ts';
import type { SessionEvent } from './events/session-event.ts';
import type { ProviderFailure } from './failure/provider-failure.ts';
import type { Inspection } from './inspect/inspection.ts';
import type { SessionSnapshot } from './persistence/session-snapshot.ts';
import type { Recovery } from './recovery/recovery.ts';

/** Context of a provider call made by {@link Session.run}. */
export interface CallContext {
  /** The output cap to send, in tokens. Lowered when the provider allows less; `undefined` when none was requested. */
  readonly maxTokens: number | undefined;
  readonly system: unknown;
  readonly tools: readonly unknown[] | undefined;
  readonly signal: AbortSignal | undefined;
  /** 1 for the first call, more for a repeated one. */
  readonly attempt: number;
  readonly info: PreparedRequest['info'];
}

/** Current state of a session. */
export interface SessionStatus {
  readonly id: string;
  readonly model: ModelInfo;
  /**
   * The window in force, in tokens: the model's, or a smaller one that its provider reported or its refusals suggest.
   */
  readonly contextLength: number;
  /** Numbers of the checkpoints that `undo` can drop, oldest first. */
  readonly checkpoints: readonly number[];
  /** True when `undo` or `hold` paused automatic compaction, until the prompt no longer fits the window. */
  readonly held: boolean;
  /**
   * Tokens of a prompt from which it is compacted automatically, after the last request; `null` when that is unknown, or
   * automatic compaction is off.
   */
  readonly compactsAt: number | null;
  /** `null` until the engine is created by the first operation. */
  readonly engine: EngineStatus | null;
}

/** Drives a context engine through an agent loop. Operations run one at a time, in the order of the calls. */
export interface Session {
  readonly id: string;
  /** For adapters to frameworks, see `@palimpsest/session/adapter`. */
  readonly adapter: AdapterMethods;
  /**
   * Prepares a request: applies the newest matching checkpoint, appends later messages, and compacts if necessary. Pass
   * the whole history each time, or the messages that were returned. The history is never changed.
   * @throws {PalimpsestError} `MESSAGES_INVALID`; `ABORTED`; `OPTION_INVALID` when one of your tools has the name of a
   *   tool of the engine; any error of creating the engine
   */
  beforeRequest<M extends Message, O extends RequestOptions = Record<never, never>>(
    messages: readonly M[],
    options?: O,
  ): Promise<PreparedRequest<M, O>>;
  /**
   * Reports that the provider answered.
   * @param usage the usage report of any provider or of the AI SDK, or a whole answer that contains one. Any other value
   *   only reports that there was an answer
   * @param request the answered request. @default the last one prepared
   * @param source asks the model of the request for a page; for adapters
   */
  afterResponse(usage: unknown, request?: PreparedRequest, source?: PageSource | null): void;
  /**
   * Prepares a request, makes the call, learns from the answer, and recovers from refusals for size.
   * @throws what `call` threw, unless it is a refusal for size; the reason of an aborted signal
   * @throws {PalimpsestError} `COMPACTION_EXHAUSTED` with the refusal as `cause`; everything `beforeRequest` throws
   */
  run<M extends Message, Answer>(
    messages: readonly M[],
    call: (messages: PreparedRequest<M>['messages'], context: CallContext) => Promise<Answer>,
    options?: RequestOptions,
  ): Promise<Answer>;
  /**
   * Reacts to a refusal that you classified. If the result says `retry`, prepare the same messages again.
   * @param request the refused request. @default the last one prepared
   * @param maxTokens the output cap of the refused request
   * @throws {PalimpsestError} `ABORTED`
   */
  recover(failure: ProviderFailure, request?: PreparedRequest, maxTokens?: number): Promise<Recovery>;
  /**
   * Reports a refusal that is not followed by another call: one that is left to the caller, or one inside a stream. After a
   * refusal for size, the next request is compacted first.
   * @param request the refused request. @default the last one
   */
  noteRefusal(failure: ProviderFailure, request?: PreparedRequest): void;
  /** Publishes an event for a request that was sent without the session. */
  notePassedThrough(reason: string): void;
  /** Compacts now, regardless of thresholds and cooldowns. With `preview`, only reports what would be done. */
  compact(options?: CompactOptions): Promise<CompactFeedback>;
  /**
   * Compacts a long-lived chat if its hygiene limits are reached. Call it from a timer between turns. It does not wait for a
   * model: the page takes effect with a later call, or with the next request.
   * @returns `null` when nothing took effect
   */
  tidy(messages?: readonly Message[]): Promise<CompactFeedback | null>;
  /**
   * Drops the current checkpoint and pauses automatic compaction until the prompt no longer fits the window. If it
   * does not fit now, the next request is compacted again; `status().held` and the `checkpoint-undo` event report this.
   * @returns the number of the dropped checkpoint, or `null` when there is none
   */
  undo(): Promise<number | null>;
  /**
   * Pauses automatic compaction until the prompt no longer fits the window, or resumes it. Compactions in effect stay. With
   * `auto: 'window'` or `false`, it changes nothing.
   */
  hold(isHeld: boolean): Promise<void>;
  /** Records of the compactions, newest last. At most 100. */
  records(): readonly CompactionRecord[];
  /**
   * Reports how a request would contain each message of the history now: its outcome, what changed it, its text before
   * and after, and the handoff lines that come from it. Changes nothing.
   * @param messages the history. @default that of the last request
   * @throws {PalimpsestError} `MESSAGES_INVALID`; any error of creating the engine
   */
  inspect(messages?: readonly Message[]): Promise<Inspection>;
  /**
   * Switches to another model.
   * @throws {PalimpsestError} `OPTION_INVALID`
   */
  updateModel(model: ModelInfo): void;
  status(): SessionStatus;
  /** Adds a listener for events. @returns a function that removes it */
  on(listener: (event: SessionEvent) => void): () => void;
  /** The engine. Creates it if necessary. */
  engine(): Promise<ContextEngine>;
  /**
   * Returns the tools that the engine offers to the model and, with the option `recall`, also `recall` and `expand`.
   * Add them to your own.
   * @param format the wire format of the declarations. @default 'openai-chat'
   */
  tools<Format extends WireFormat = 'openai-chat'>(format?: Format): Promise<WireTool<Format>[]>;
  /**
   * Answers a call of one of the tools.
   * @param input the arguments, as an object or as the JSON text that the model wrote
   * @param context `messages`: the conversation. @default the conversation of the last request
   * @returns the text for the model: JSON from a tool of the engine, lines of text from `recall` and `expand`. Invalid
   *   calls are answered too: `{"error": "Unknown context engine tool: x"}`
   */
  callTool(
    name: string,
    input: string | Readonly<Record<string, unknown>>,
    context?: Partial<ToolCallContext>,
  ): Promise<string>;
  /**
   * Archives messages, masked, that you are about to remove from your history, so that `recall` still finds them.
   * Failures of the store are reported as events.
   * @throws {PalimpsestError} `OPTION_INVALID` without the option `recall`; `MESSAGES_INVALID`
   */
  archive(messages: readonly Message[]): Promise<void>;
  /** The state of the session as JSON, without the conversation. */
  snapshot(): Promise<SessionSnapshot>;
  /** Restores a snapshot. If it belongs to another session, is damaged or has another version, the session starts clean. */
  restore(snapshot: unknown): Promise<void>;
  /** Starts a new conversation under the same id. Archived messages are removed. */
  reset(): Promise<void>;
  /**
   * Removes everything that is stored about the conversation, its archived messages too, and ends the session. Other
   * processes that have it in memory store nothing more, unless they get another of its requests.
   * @throws what the store throws
   */
  delete(): Promise<void>;
  /** Ends the session: notifies the engine, and waits until the state is stored. */
  end(messages?: readonly Message[]): Promise<void>;
}
